// The two browsers that the tests run in, both Debian's, and all in which driving the one differs from driving the other.

import { createHash } from "node:crypto";
import { chromium, firefox } from "playwright-core";

// What does not happen within this never will, however busy the machine is.
export const PATIENCE = 300_000;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

const CHROMIUM = {
  name: "chromium",

  async open(options) {
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS, timeout: PATIENCE });
    return browser.newContext(options);
  },

  tap: (locator) => locator.tap(),

  // Whether the console tells of something that Playwright did, not the page.
  isOfDriver: () => false,

  // Returns touch(type, at, seconds): a finger "Start"s at {x, y}, "Move"s there, and "End"s, or "Cancel"s as the browser
  // takes the touch for itself.
  async finger(page) {
    const session = await page.context().newCDPSession(page);
    return (type, at, timestamp) => session.send("Input.dispatchTouchEvent", {
      type: `touch${type}`, timestamp, touchPoints: at === undefined ? [] : [at],
    });
  },
};

const POINTER_EVENTS = { Start: "pointerdown", Move: "pointermove", End: "pointerup", Cancel: "pointercancel" };

// Playwright adds this style while Firefox draws a picture, if the page lets it.
const STYLE_OF_SCREENSHOTS = createHash("sha256").update("body {}").digest("base64");

// Playwright speaks WebDriver BiDi with a Firefox that is not its own. That way has no touch, so a tap is a click and a finger
// is events made in the page; no bodies of requests; and no colour scheme and no `isMobile`, so these are set for the whole browser:
// what matters of the latter is that scrollbars take no room.
const FIREFOX = {
  name: "firefox",

  async open({ colorScheme, isMobile, ...options }) {
    const firefoxUserPrefs = {
      "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
      "ui.useOverlayScrollbars": isMobile ? 1 : 0,
    };
    const browser = await firefox.launch({
      channel: "moz-firefox", executablePath: "/usr/bin/firefox-esr", firefoxUserPrefs, timeout: PATIENCE,
    });
    return browser.newContext(options);
  },

  tap: (locator) => locator.click(),

  isOfDriver: (text) => text.includes(STYLE_OF_SCREENSHOTS),

  async finger(page) {
    let last;
    return (type, at = last) => {
      last = at;
      return page.evaluate(([event, { x, y }]) => document.elementFromPoint(x, y)?.dispatchEvent(new PointerEvent(event, {
        pointerType: "touch", isPrimary: true, clientX: x, clientY: y, bubbles: true, cancelable: true,
      })), [POINTER_EVENTS[type], at]);
    };
  },
};

// The one that QDEDUP_BROWSER names.
export const ENGINE = { chromium: CHROMIUM, firefox: FIREFOX }[process.env.QDEDUP_BROWSER ?? "chromium"];
