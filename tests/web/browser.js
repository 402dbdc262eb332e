// Debian's Chromium, and what the tests say about the page.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { TOKEN } from "./daemon.js";
import { ROOT } from "./state.js";

const SCREENSHOTS = process.env.QDEDUP_SCREENSHOTS ?? path.join(ROOT, "build/release/screenshots");
// What does not happen within this never will, however busy the machine is.
const PATIENCE = 300_000;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

export class Browser {
  // A browser with a profile of its own, as `reviewer`.
  static async start(daemon, reviewer = "ann", options = {}) {
    const browser = new Browser();
    browser.daemon = daemon;
    browser.profile = mkdtempSync(path.join(tmpdir(), "qdedup-chromium-"));
    browser.context = await chromium.launchPersistentContext(browser.profile, {
      executablePath: "/usr/bin/chromium", headless: true, args: FLAGS, locale: "en-GB",
      viewport: { width: 1280, height: 800 }, httpCredentials: { username: reviewer, password: TOKEN }, timeout: PATIENCE, ...options,
    });
    browser.context.setDefaultTimeout(PATIENCE);
    browser.page = browser.context.pages()[0] ?? await browser.context.newPage();
    browser.errors = [];
    browser.page.on("pageerror", (error) => browser.errors.push(String(error)));
    browser.page.on("console", (message) => message.type() === "error" && browser.errors.push(message.text()));
    return browser;
  }

  async close() {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
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
