// What comes while a button is pressed does not take it away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

const approve = () => made.browser.current().getByRole("button", { name: "Approve", exact: true });

// Holds back what the page asks of `path`, until `open()`.
async function hold(path) {
  let open;
  const opened = new Promise((resolve) => { open = resolve; });
  const { page } = made.browser;
  await page.route(`**/api/review/${path}*`, async (route) => { await opened; return route.continue(); });
  return { open, end: () => page.unroute(`**/api/review/${path}*`) };
}

test("a click outlasts the answer to the decision before", async () => {
  const { browser, state } = made;
  await browser.open();
  const decisions = await hold("decisions");
  await browser.press("x");
  await browser.waitForCurrent(9);
  await approve().hover();
  await browser.page.mouse.down();
  decisions.open();
  await browser.waitUntilSaved();
  await browser.page.mouse.up();
  await browser.waitForCurrent(12);
  await browser.waitUntilSaved();
  await decisions.end();
  assert.deepEqual([5, 9].map((id) => state.status(id)), ["rejected", "approved"]);
  await browser.page.locator('.member[data-question="5"] .status.rejected', { hasText: "ann" }).waitFor();
});

test("so does a button that the space bar presses", async () => {
  const { browser, state } = made;
  const decisions = await hold("decisions");
  await browser.press("x");
  await browser.waitForCurrent(21);
  await approve().focus();
  await browser.page.keyboard.down(" ");
  decisions.open();
  await browser.waitUntilSaved();
  await browser.page.keyboard.up(" ");
  await browser.waitForCurrent(22);
  await browser.waitUntilSaved();
  await decisions.end();
  assert.deepEqual([12, 21].map((id) => state.status(id)), ["rejected", "approved"]);
});

test("a button does not move when the evidence comes", async () => {
  const { browser, state } = made;
  const evidence = await hold("evidence");
  await browser.press("j");
  await browser.waitForCurrent(31);
  const before = await approve().boundingBox();
  await approve().hover();
  await browser.page.mouse.down();
  const answered = browser.page.waitForResponse("**/api/review/evidence*");
  evidence.open();
  await (await answered).finished();
  assert.equal(await browser.current().locator(".evidence").textContent(), "");
  await browser.page.mouse.move(before.x + 10, before.y + 10);
  assert.equal(await browser.current().locator(".evidence").textContent(), "");
  await browser.page.mouse.up();
  await browser.waitForCurrent(41);
  await browser.waitUntilSaved();
  await evidence.end();
  assert.equal(state.status(31), "approved");
  await browser.press("k");
  await browser.waitForCurrent(31);
  await browser.current().locator(".evidence:not(:empty)").waitFor();
  const after = await approve().boundingBox();
  assert.ok(Math.abs(after.y - before.y) < 1, `moved from ${before.y} to ${after.y}`);
});

test("a filter is chosen though the counts come anew meanwhile", async () => {
  const { browser } = made;
  const facets = await hold("facets");
  const asked = browser.page.waitForRequest("**/api/review/facets*");
  await browser.press("u");
  await asked;
  await browser.page.locator('[data-facet="confidence"] button', { hasText: "doubtful" }).hover();
  await browser.page.mouse.down();
  const answered = browser.page.waitForResponse("**/api/review/facets*");
  facets.open();
  await (await answered).finished();
  await browser.page.mouse.up();
  await browser.page.waitForURL(/confidence=doubtful/);
  await facets.end();
});
