// Where one is in the queue, what comes next, and what is left at its end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

const progress = (text) => made.browser.page.locator(".progress p", { hasText: text }).waitFor();
const next = () => made.browser.page.locator(".next button").evaluateAll((all) => all.map((each) => each.title));
const members = () => made.browser.page.locator(".member").evaluateAll((all) => all.map((each) => each.dataset.question));

test("the queue says how far one is, how much one did, and what comes next", async () => {
  const { browser } = made;
  await browser.open();
  await progress("1 of 7 · mine today 0 · in the last hour 0");
  assert.deepEqual(await next(), ["9 → 2", "12 → 2", "21 → 20", "22 → 20", "31 → 30"]);
  await browser.press("x");
  await browser.waitForCurrent(9);
  await progress("2 of 7 · mine today 1 · in the last hour 1");
  await browser.page.locator('.next button[title="21 → 20"]').click();
  await browser.waitForCurrent(21);
  await progress("4 of 7");
  await browser.page.waitForURL(/at=0-20-21/);
  await browser.page.reload();
  await browser.waitForCurrent(21);
  await progress("3 of 6 · mine today 1");
  await browser.press("u");
  await browser.waitUntilSaved();
  assert.equal(made.state.status(5), "pending");
});

test("a key decides a whole group, and another takes all of that back", async () => {
  const { browser, state } = made;
  await browser.open("#/queue?order=keeper&at=start");
  await browser.waitForCurrent(5);
  await browser.press("x");
  await browser.waitForCurrent(9);
  await browser.press("Shift+A");
  await browser.waitForCurrent(21);
  await browser.waitUntilSaved();
  assert.deepEqual([5, 9, 12, 21].map((id) => state.status(id)), ["rejected", "approved", "approved", "pending"]);
  await browser.press("u");
  await browser.waitForCurrent(9);
  await browser.waitUntilSaved();
  assert.deepEqual([5, 9, 12].map((id) => state.status(id)), ["rejected", "pending", "pending"]);
  await browser.page.getByRole("button", { name: "Reject group" }).click();
  await browser.waitForCurrent(21);
  await browser.waitUntilSaved();
  assert.deepEqual([5, 9, 12].map((id) => state.status(id)), ["rejected", "rejected", "rejected"]);
});

test("after the last one is told what was skipped, with a way to it", async () => {
  const { browser } = made;
  await browser.press("Space");
  await browser.waitForCurrent(22);
  for (const [key, then] of [["a", 31], ["Space", 41]]) {
    await browser.press(key);
    await browser.waitForCurrent(then);
  }
  await browser.press("x");
  await browser.page.getByRole("heading", { name: "Done" }).waitFor();
  await browser.page.getByText("Skipped, and still as they were: 2").waitFor();
  await browser.screenshot("done");
  await browser.press("k");
  await browser.waitForCurrent(41);
  await browser.press("j");
  await browser.page.locator(".done").getByRole("button", { name: "31" }).click();
  await browser.waitForCurrent(31);
  await browser.press("j");
  await browser.press("j");
  await browser.page.locator("#skipped").click();
  await browser.waitForCurrent(21);
  await progress("1 of 2");
});

test("the queue comes in several orders", async () => {
  const { browser, daemon } = made;
  for (const order of ["similarity", "size", "length", "risk"]) {
    const { groups } = (await daemon.ask(`queue?status=rejected&order=${order}`)).answer;
    await browser.open(`#/queue?status=rejected&order=${order}`);
    await browser.waitForCurrent(groups[0].members[0].id);
    assert.deepEqual(await members(), groups[0].members.map(({ id }) => id));
  }
  await browser.page.getByLabel("Order").selectOption("length");
  await browser.waitForCurrent(41);
});

test("a search finds questions in every status, by number and by words", async () => {
  const { browser } = made;
  const find = async (text) => {
    await browser.page.locator("#search").fill(text);
    await browser.page.locator("#find").click();
  };
  await find("小红　几个");
  const found = browser.page.getByRole("dialog").locator("li");
  await found.first().waitFor();
  assert.deepEqual(await found.locator("a").allTextContents(), ["12 → 2", "9 → 2", "5 → 2"]);
  assert.equal(await found.first().locator(".status").textContent(), "rejected");
  await browser.screenshot("search");
  await found.last().locator("a").click();
  await browser.page.getByRole("dialog").waitFor({ state: "detached" });
  await browser.waitForCurrent(5);
  await find("22");
  await browser.page.locator('.member.current.approved[data-question="22"]').waitFor();
  await find("没有这样的题");
  await browser.page.getByRole("dialog").getByText("None found among 7 listed pairs.").waitFor();
  await browser.press("Escape");
});
