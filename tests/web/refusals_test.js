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
  // Before it leaves the page: Playwright does not see what Firefox sends.
  await browser.page.evaluate(() => {
    const send = window.fetch;
    window.refused = 0;
    const held = new Promise((resolve) => { window.release = resolve; });
    window.fetch = async (path, options) => {
      if (options.body) await held;
      if (!options.body?.includes('"question":"12"')) return send(path, options);
      window.refused += 1;
      return new Response('{"error":"the body does not fit"}', { status: 400 });
    };
  });
  for (const next of [12, 21, 22]) {
    await browser.press("x");
    await browser.waitForCurrent(next);
  }
  await browser.page.evaluate(() => window.release());
  await browser.waitUntilSaved();
  await trouble().getByText("12 → 2: Not saved: the body does not fit.").waitFor();
  assert.equal(await browser.page.evaluate(() => window.refused), 2);
  assert.equal(state.status(9), "rejected");
  assert.equal(state.status(12), "pending");
  assert.equal(state.status(21), "rejected");
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

test("what only a proxy refuses is sent again, and holds up no other one", async () => {
  const { browser, state } = made;
  await browser.open("#/queue?order=keeper&at=start");
  await browser.waitForCurrent(12);
  await browser.page.evaluate(() => {
    const send = window.fetch;
    window.isRefused = true;
    window.fetch = (path, options) => (window.isRefused && /"question":"?12"?[,}]/.test(options.body)
      ? Promise.resolve(new Response("<h1>Bad request</h1>", { status: 400 }))
      : send(path, options));
  });
  await browser.press("x");
  await browser.waitForCurrent(22);
  await browser.press("u");
  await browser.waitForCurrent(12);
  await browser.press("j");
  await browser.waitForCurrent(22);
  await browser.press("x");
  await browser.page.waitForFunction(() => {
    const waiting = Object.keys(localStorage).filter((key) => key.startsWith("qdedup.outbox."));
    return waiting.length === 2 && waiting.every((key) => localStorage[key].includes("12"));
  });
  assert.equal(state.status(22), "rejected");
  assert.equal(state.status(12), "pending");
  await browser.page.evaluate(() => { window.isRefused = false; });
  await browser.waitUntilSaved();
  assert.equal(state.status(12), "pending");
});
