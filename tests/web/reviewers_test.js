// Two reviewers at a time.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Browser, holdBack } from "./browser.js";
import { review } from "./review.js";

const made = review();
let bob;
after(() => bob?.close());

test("the second one to decide is told who was first, and changes nothing", async () => {
  const { browser: ann, daemon, state } = made;
  bob = await Browser.start(daemon, "bob");
  await ann.open();
  await bob.open();
  await ann.waitForCurrent(5);
  await bob.waitForCurrent(5);
  await ann.press("a");
  await ann.waitUntilSaved();
  await bob.press("x");
  await bob.waitUntilSaved();
  await bob.page.locator('.member[data-question="5"] .conflict', { hasText: "approved by ann (as token)" }).waitFor();
  await bob.screenshot("conflict");
  await bob.page.locator("#announcement", { hasText: "5 → 2: approved by ann (as token) meanwhile" }).waitFor();
  await bob.page.locator('.member.approved[data-question="5"]').waitFor();
  assert.doesNotMatch(await bob.page.locator("body").innerText(), /5 rejected|rejected by bob|Not saved/);
  assert.equal(state.status(5), "approved");
});

test("both decisions on different deletions are kept, each under its name", async () => {
  const { browser: ann, daemon, state } = made;
  await ann.waitForCurrent(9);
  await bob.press("2");
  await bob.waitForCurrent(9);
  await ann.press("j");
  await ann.waitForCurrent(12);
  await Promise.all([ann.press("x"), bob.press("a")]);
  await Promise.all([ann.waitUntilSaved(), bob.waitUntilSaved()]);
  assert.equal(state.status(9), "approved");
  assert.equal(state.status(12), "rejected");
  const { answer } = await daemon.ask("queue?status=rejected");
  assert.equal(answer.groups[0].members[0].given_name, "ann");
});

test("a decision that was refused is not undone", async () => {
  await bob.press("u");
  await bob.waitUntilSaved();
  assert.equal(made.state.status(9), "pending");
  await bob.press("u");
  await bob.page.locator("#announcement", { hasText: "nothing to undo" }).waitFor();
  assert.equal(made.state.status(5), "approved");
  assert.deepEqual(bob.errors, []);
});

test("a refused decision is told of, also where its deletion is not shown", async () => {
  const { browser: ann } = made;
  await ann.open();
  await bob.open();
  await ann.waitForCurrent(21);
  await bob.waitForCurrent(9);
  await bob.press("j");
  await bob.waitForCurrent(21);
  await ann.press("a");
  await ann.waitUntilSaved();
  const decision = await holdBack(bob.page, "decisions");
  await bob.press("x");
  await bob.page.getByRole("link", { name: "Dashboard" }).click();
  await bob.page.locator('body[data-shown="dashboard"]').waitFor();
  await decision.come();
  await bob.page.locator("#trouble", { hasText: "21 → 20: approved by ann (as token) meanwhile; that counts, your decision does not." }).waitFor();
  assert.equal(await bob.page.locator("#announcement").textContent(), "");
  assert.equal(made.state.status(21), "approved");
  assert.deepEqual(bob.errors, []);
});

test("what was decided on top of a refused decision is refused with it", async () => {
  const { browser: ann, state } = made;
  await ann.open("#/queue?order=keeper&at=0-30-31");
  await bob.open("#/queue?order=keeper&at=0-30-31");
  await ann.waitForCurrent(31);
  await bob.waitForCurrent(31);
  const decision = await holdBack(bob.page, "decisions");
  await bob.press("x");
  await bob.waitForCurrent(41);
  await bob.press("u");
  await bob.waitForCurrent(31);
  await ann.press("x");
  await ann.waitUntilSaved();
  await decision.come();
  await bob.page.locator('.member.rejected[data-question="31"] .conflict', { hasText: "rejected by ann (as token)" }).waitFor();
  await bob.waitUntilSaved();
  assert.equal(state.status(31), "rejected");
  await ann.press("u");
  await ann.waitUntilSaved();
  assert.equal(state.status(31), "pending");
});

test("a decision that is sent by another window of the same reviewer is shown as decided in both", async () => {
  const { browser: ann, state } = made;
  await ann.open("#/queue?order=keeper&at=0-40-41");
  await ann.waitForCurrent(41);
  const other = await ann.context.newPage();
  const decision = await holdBack(other, "decisions");
  await other.goto(ann.page.url());
  await other.locator('.member.current[data-question="41"]').waitFor();
  await other.keyboard.press("x");
  await decision.asked();
  await ann.press("a");
  await decision.come();
  await ann.waitUntilSaved();
  await ann.press("k");
  await ann.page.locator('.member[data-question="41"] .status', { hasText: "ann", hasNotText: "saving" }).waitFor();
  assert.equal(state.status(41), "rejected");
  await other.close();
});
