// The page through outages of the daemon.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

const saving = (text) => made.browser.page.locator("#saving", { hasText: text }).waitFor();
const countdown = (text) => made.browser.page.locator("#countdown", { hasText: text }).waitFor();
const link = (name) => made.browser.page.getByRole("link", { name });

test("a view that could not be loaded says so, and loads by itself when the daemon is back", async () => {
  const { browser, daemon } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  await saving("Connected · all saved");
  await daemon.stop();
  await link("Dashboard").click();
  await browser.page.getByRole("heading", { name: "Dashboard: could not be loaded" }).waitFor();
  assert.equal(await link("Dashboard").getAttribute("aria-current"), "page");
  await saving(/^Offline$/);
  await countdown("retrying");
  assert.doesNotMatch(await browser.page.locator("body").innerText(), /fetch|Loading|saved/);
  await browser.screenshot("outage");
  await daemon.begin();
  await browser.page.locator(".tile.good", { hasText: "works" }).waitFor();
  await saving("Connected · all saved");
  assert.ok(await browser.page.locator("#retrying").isHidden());
  browser.errors.splice(0);  // the console tells of the requests that failed
});

test("pauses grow up to a limit, and a button ends one", async () => {
  const { browser } = made;
  await browser.page.clock.install();
  await browser.open();
  await browser.waitForCurrent(5);
  await browser.page.route("**/api/**", (route) => route.abort());
  await link("Dashboard").click();
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    await countdown(`retrying in ${seconds} s`);
    await browser.page.clock.runFor(1000);
    if (seconds > 1) await countdown(`retrying in ${seconds - 1} s`);
    await browser.page.clock.runFor(1000 * (seconds - 1));
  }
  await countdown("retrying in 30 s");
  await browser.page.unroute("**/api/**");
  await browser.page.locator("#retry").click();
  await browser.page.locator(".tile.good").waitFor();
  await saving("Connected · all saved");
  browser.errors.splice(0);
});

test("a daemon that takes requests and answers none is no better", async () => {
  const { browser, daemon } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  daemon.process.kill("SIGSTOP");
  await link("Dashboard").click();
  await browser.page.getByText("Loading").waitFor();
  await browser.page.clock.runFor(15_000);  // until it is asked
  await browser.page.clock.runFor(10_000);  // and gives no answer
  await browser.page.getByRole("heading", { name: "Dashboard: could not be loaded" }).waitFor();
  await saving(/^Offline$/);
  await browser.page.locator("#retry").click();  // before it goes on: it may answer what it was asked before
  daemon.process.kill("SIGCONT");
  await browser.page.locator(".tile.good").waitFor();
  await saving("Connected · all saved");
  browser.errors.splice(0);
});

test("nor is a proxy that has nobody to ask", async () => {
  const { browser } = made;
  await browser.open();
  await browser.page.route("**/api/**", (route) => route.fulfill({ status: 503, body: "<h1>Service unavailable</h1>" }));
  await link("Dashboard").click();
  await browser.page.getByRole("heading", { name: "Dashboard: could not be loaded" }).waitFor();
  await saving(/^Offline$/);
  await browser.page.unroute("**/api/**");
  await browser.page.locator("#retry").click();
  await browser.page.locator(".tile.good").waitFor();
  browser.errors.splice(0);
});

test("nor is a daemon that stops", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  const stopping = { status: 503, headers: { "Retry-After": "5" }, json: { error: "the daemon stops" } };
  await browser.page.route("**/api/**", (route) => route.fulfill(stopping));
  await link("Dashboard").click();
  await browser.page.getByRole("heading", { name: "Dashboard: could not be loaded" }).waitFor();
  await saving(/^Offline$/);
  await browser.page.unroute("**/api/**");
  await browser.page.locator("#retry").click();
  await browser.page.locator(".tile.good").waitFor();
  await saving("Connected · all saved");
  browser.errors.splice(0);
});

test("nothing can be decided in a view that could not be loaded", async () => {
  const { browser } = made;
  await browser.page.route("**/api/review/facets*", (route) => route.abort());
  await browser.open();
  await browser.page.locator(".unloaded").waitFor();
  await browser.press("a");
  assert.equal(await browser.page.locator("#saving").getAttribute("data-unsaved"), "0");
  await browser.page.unroute("**/api/review/facets*");
  await browser.waitForCurrent(5);
  browser.errors.splice(0);
});

test("while a window sends what all have kept, no other one does", async () => {
  const { browser, daemon, state } = made;
  const second = await browser.context.newPage();
  await second.goto(`${daemon.origin}/#/dashboard`);
  await second.locator('body[data-shown="dashboard"]').waitFor();
  await browser.context.route("**/api/**", (route) => route.abort());
  await browser.press("a");
  await browser.press("x");
  for (const page of [browser.page, second]) await page.locator("#language").click();  // both hear that it is lost
  for (const page of [browser.page, second]) await page.locator(".unloaded").waitFor();
  let sent = 0;
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const sending = new Promise((resolve) => {
    browser.context.route("**/api/review/decisions*", async (route) => {
      sent += 1;
      resolve();
      await held;
      return route.continue();
    });
  });
  await browser.context.unroute("**/api/**");
  await browser.current().waitFor();
  await second.locator(".tile.good").waitFor();
  await sending;
  assert.equal(sent, 1);
  release();
  for (const page of [browser.page, second]) await page.locator('#saving[data-unsaved="0"]').waitFor();
  assert.deepEqual([state.status(5), state.status(9)], ["approved", "rejected"]);
  await second.close();
  browser.errors.splice(0);
});
