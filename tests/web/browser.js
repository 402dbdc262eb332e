// A browser, and what the tests say about the page.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { TOKEN } from "./daemon.js";
import { ENGINE, PATIENCE } from "./engines.js";
import { ROOT } from "./state.js";

const SCREENSHOTS = process.env.QDEDUP_SCREENSHOTS ?? path.join(ROOT, "build/release/screenshots");

export class Browser {
  // A browser of its own, as `reviewer`.
  static async start(daemon, reviewer = "ann", options = {}) {
    const browser = new Browser();
    browser.daemon = daemon;
    browser.context = await ENGINE.open({
      locale: "en-GB", viewport: { width: 1280, height: 800 }, httpCredentials: { username: reviewer, password: TOKEN }, ...options,
    });
    browser.context.setDefaultTimeout(PATIENCE);
    browser.page = await browser.context.newPage();
    browser.errors = [];
    const keep = (error) => ENGINE.isOfDriver(error) || browser.errors.push(error);
    browser.page.on("pageerror", (error) => keep(String(error)));
    browser.page.on("console", (message) => message.type() === "error" && keep(message.text()));
    return browser;
  }

  async close() {
    await this.context.browser().close();
  }

  // By keeper, where nothing else is said: that order does not depend on how large the risks are.
  async open(hash = "#/queue?order=keeper") {
    await this.page.goto("about:blank");
    await this.page.goto(`${this.daemon.origin}/${hash}`);
    await this.page.locator("body[data-shown]").waitFor();
  }

  // The deletion that is looked at.
  current() {
    return this.page.locator(".member.current");
  }

  // What it says of the question that would go.
  going() {
    return this.current().locator(".delete");
  }

  async waitForCurrent(question) {
    await this.page.locator(`.member.current[data-question="${question}"]`).waitFor();
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  // Presses `key` and holds it until it has come `times`.
  async hold(key, times) {
    for (let i = 0; i < times; i += 1) await this.page.keyboard.down(key);
    await this.page.keyboard.up(key);
  }

  async waitUntilSaved() {
    await this.page.locator('#saving[data-unsaved="0"]').waitFor();
  }

  async screenshot(name) {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
  }
}

// Holds back the answers to what `page` asks of `path` until `come()`, which waits until the page has the first one; after that it
// holds back nothing any more. `asked()` is done when the page has asked.
export async function holdBack(page, path) {
  const address = `**/api/review/${path}*`;
  const request = page.waitForRequest(address);
  let open;
  const opened = new Promise((resolve) => { open = resolve; });
  await page.route(address, async (route) => { await opened; return route.continue(); });
  return {
    asked: () => request,
    come: async () => {
      const response = (await request).response();
      open();
      await (await response).finished();
      await page.evaluate(() => new Promise((done) => setTimeout(done)));
      await page.unroute(address);
    },
  };
}
