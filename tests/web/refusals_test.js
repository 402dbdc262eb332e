// Decisions that neither the browser nor the daemon takes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

const trouble = () => made.browser.page.locator("#trouble");

test("half a character in a note is no reason to refuse it", async () => {
  const { browser, state } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  await browser.press("n");
  await browser.page.locator(".note-input").evaluate((input) => {
    input.value = "x\ud83d";
    input.dispatchEvent(new Event("input"));
  });
  await browser.press("Enter");
  await browser.press("x");
  await browser.waitForCurrent(9);
  await browser.waitUntilSaved();
  assert.match(state.qdedup("export", "--status", "rejected"), /,x\ufffd,/);
});

test("a decision that the daemon cannot read is given up, and keeps no other one", async () => {
  const { browser, state } = made;
  let refused = 0;
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await browser.page.route("**/api/review/decisions", async (route) => {
    await held;
    if (!route.request().postData().includes('"question":"12"')) return route.continue();
    refused += 1;
    return route.fulfill({ status: 400, json: { error: "the body does not fit" } });
  });
  for (const next of [12, 21, 22]) {
    await browser.press("x");
    await browser.waitForCurrent(next);
  }
  release();
  await browser.waitUntilSaved();
  await trouble().getByText("12 → 2: Not saved: the body does not fit.").waitFor();
  assert.equal(refused, 2);
  assert.equal(state.status(9), "rejected");
  assert.equal(state.status(12), "pending");
  assert.equal(state.status(21), "rejected");
  await browser.page.unroute("**/api/review/decisions");
  browser.errors.splice(0);  // the console tells of the 400
});

test("where the browser has no room for a decision, nothing is shown as decided", async () => {
  const { browser, state } = made;
  await browser.open();
  await browser.waitForCurrent(22);
  await browser.page.evaluate(() => {
    Storage.prototype.setItem = () => { throw new DOMException("no room", "QuotaExceededError"); };
  });
  await browser.press("x");
  await trouble().getByText("That did not work: no room").waitFor();
  await browser.page.locator('.member.current.pending[data-question="22"]').waitFor();
  await browser.press("j");
  await browser.waitForCurrent(31);
  assert.equal(state.status(22), "pending");
});
