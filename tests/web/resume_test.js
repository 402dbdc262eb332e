// The page goes on where it was, through reloads and restarts of the daemon.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { LISTS, QUESTIONS } from "./questions.js";
import { review } from "./review.js";

const made = review();

test("a decision of while the daemon was down is kept, and saved when it is back", async () => {
  const { browser, daemon, state } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  await daemon.stop();
  await browser.press("a");
  await browser.waitForCurrent(9);
  await browser.press("x");
  await browser.waitForCurrent(12);
  await browser.page.locator('#saving[data-unsaved="2"].failing').waitFor();
  await browser.screenshot("unsaved");
  await daemon.begin();
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "approved");
  assert.equal(state.status(9), "rejected");
  browser.errors.splice(0);  // the console tells of the requests that failed
});

test("a decision survives a reload before it was saved", async () => {
  const { browser, daemon, state } = made;
  await browser.page.route("**/api/review/decisions*", (route) => route.abort());
  await browser.press("a");
  await browser.page.locator('#saving[data-unsaved="1"].failing').waitFor();
  await browser.page.unroute("**/api/review/decisions*");
  const asked = new Promise((resolve) => browser.page.route("**/api/review/me", resolve, { times: 1 }));
  const opened = browser.open();
  const whoIsThere = await asked;
  assert.equal(await browser.page.locator("#saving").textContent(), "", "nothing is said of decisions before it is known whose");
  await whoIsThere.continue();
  await opened;
  await browser.waitUntilSaved();
  assert.equal(state.status(12), "approved");
  browser.errors.splice(0);
  assert.equal((await daemon.ask("queue?order=keeper&status=approved")).answer.groups[0].members[1].given_name, "ann");
});

test("an answer that was lost does no harm", async () => {
  const { browser, state } = made;
  await browser.waitForCurrent(21);
  let lost = 0;
  await browser.page.route("**/api/review/decisions*", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await browser.press("a");
  await browser.waitForCurrent(22);
  await browser.waitUntilSaved();
  assert.ok(lost > 1);
  assert.equal(state.status(21), "approved");
  assert.equal(await browser.page.locator(".conflict").count(), 0);
  await browser.page.unroute("**/api/review/decisions*");
  browser.errors.splice(0);
});

test("the page opens where the reviewer left it", async () => {
  const { browser } = made;
  await browser.press("j");
  await browser.waitForCurrent(31);
  await browser.open();
  await browser.waitForCurrent(31);
  await browser.page.locator("#from-start").click();
  await browser.waitForCurrent(22);
});

test("what was decided is sent in that order, though the clock was set back meanwhile", async () => {
  const { browser, state } = made;
  const { page } = browser;
  await page.route("**/api/review/decisions*", (route) => route.abort());
  await browser.press("x");
  await browser.waitForCurrent(31);
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() - 3600000;
  });
  await browser.press("u");
  await browser.waitForCurrent(22);
  await page.locator('#saving[data-unsaved="2"].failing').waitFor();
  await page.unroute("**/api/review/decisions*");
  await browser.waitUntilSaved();
  assert.equal(await page.locator(".conflict").count(), 0);
  assert.equal(state.status(22), "pending");
  assert.match(await page.locator(".current .status").textContent(), /^pending$/);
  browser.errors.splice(0);
});

test("a decision that is stored while the queue is loaded is shown as decided", async () => {
  const { browser, state } = made;
  const gate = () => {
    let open;
    const opened = new Promise((resolve) => { open = resolve; });
    return { open, opened };
  };
  const [sending, looked, loading] = [gate(), gate(), gate()];
  await browser.page.route("**/api/review/decisions*", async (route) => { await sending.opened; return route.continue(); });
  await browser.page.route("**/api/review/queue*", async (route) => {
    const response = await route.fetch();
    looked.open();
    await loading.opened;
    return route.fulfill({ response });
  });
  await browser.press("a");
  await browser.page.evaluate(() => { location.hash = "#/queue?at=0-20-22&order=keeper"; });  // never what is noted already
  await looked.opened;
  sending.open();
  await browser.waitUntilSaved();
  loading.open();
  await browser.page.locator('.member.approved[data-question="22"]').waitFor();
  await browser.page.unroute("**/api/review/decisions*");
  await browser.page.unroute("**/api/review/queue*");
  state.qdedup("review", "reset", 22, 20);
  await browser.open("#/queue?order=keeper&at=start");
  await browser.waitForCurrent(22);
});

test("a decision that waited counts for no other state", async () => {
  const { browser, daemon, state } = made;
  await daemon.stop();
  await browser.press("a");
  await browser.page.locator('#saving[data-unsaved="1"].failing').waitFor();
  rmSync(state.state, { recursive: true });
  const others = Object.entries(QUESTIONS).map(([id, question]) => [id, `又${[question].flat()[0]}`]);
  state.importQuestions(Object.fromEntries(others));
  state.iterate(LISTS);
  await daemon.begin();
  await browser.waitUntilSaved();
  assert.equal(state.status(22), "pending");
  browser.errors.splice(0);
});
