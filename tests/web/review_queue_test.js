// One reviewer goes through the queue by keyboard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

test("shows the keeper, its members, and what differs", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  assert.equal(await browser.page.locator(".keep b").textContent(), "2");
  assert.deepEqual(await browser.page.locator(".member").evaluateAll((all) => all.map((each) => each.dataset.question)),
    ["5", "9", "12"]);
  assert.deepEqual(await browser.page.locator(".keep ins.differs").allTextContents(), ["明", "红多"]);
  assert.deepEqual(await browser.current().locator("del.differs").allTextContents(), ["红", "明少"]);
  assert.equal(await browser.current().locator(".mark.number").count(), 0, "what is equal is plain");
  await browser.page.getByText("Together in 1 of the newest 4 result lists, best score 0.900").waitFor();
  await browser.screenshot("queue");
});

test("a approves, x rejects, and both go on", async () => {
  const { browser, state } = made;
  await browser.press("x");
  await browser.waitForCurrent(9);
  await browser.press("a");
  await browser.waitForCurrent(12);
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "rejected");
  assert.equal(state.status(9), "approved");
  await browser.page.locator('.member[data-question="9"] .status.approved', { hasText: "ann" }).waitFor();
});

test("space skips, j and k move, digits choose a member", async () => {
  const { browser, state } = made;
  await browser.press("Space");
  await browser.waitForCurrent(21);
  await browser.press("k");
  await browser.waitForCurrent(12);
  await browser.press("j");
  await browser.press("2");
  await browser.waitForCurrent(22);
  await browser.press("1");
  await browser.waitForCurrent(21);
  await browser.waitUntilSaved();
  assert.equal(state.status(12), "pending");
});

test("u takes back one decision after the other", async () => {
  const { browser, state } = made;
  await browser.press("u");
  await browser.waitForCurrent(9);
  await browser.press("u");
  await browser.waitForCurrent(5);
  await browser.waitUntilSaved();
  assert.equal(state.status(9), "pending");
  assert.equal(state.status(5), "pending");
  await browser.press("u");
  await browser.page.locator("#announcement", { hasText: "nothing to undo" }).waitFor();
});

test("an approved deletion that is rejected is approved again by undo", async () => {
  const { browser, state } = made;
  await browser.press("a");
  await browser.press("k");
  await browser.waitForCurrent(5);
  await browser.press("x");
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "rejected");
  await browser.press("u");
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "approved");
  await browser.press("u");
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "pending");
});

test("a key that is held decides once, and moves on and on", async () => {
  const { browser, state } = made;
  await browser.hold("a", 5);
  await browser.waitForCurrent(9);
  await browser.waitUntilSaved();
  assert.deepEqual(state.list().filter(([, , status]) => status !== "pending"), [[5, 2, "approved"]]);
  await browser.hold("j", 3);
  await browser.waitForCurrent(22);
  await browser.hold("u", 3);
  await browser.waitForCurrent(5);
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "pending");
});

test("buttons do what the keys do", async () => {
  const { browser, state } = made;
  await browser.current().getByRole("button", { name: "Reject" }).click();
  await browser.waitForCurrent(9);
  await browser.current().getByRole("button", { name: "Undo" }).click();
  await browser.waitForCurrent(5);
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "pending");
});

test("a note goes with the decision", async () => {
  const { browser, state } = made;
  await browser.press("n");
  await browser.page.keyboard.type("ax 问的不同");
  await browser.press("Enter");
  await browser.press("x");
  await browser.waitForCurrent(9);
  await browser.waitUntilSaved();
  assert.match(state.qdedup("export", "--status", "rejected"), /,ax 问的不同,/);
  await browser.press("u");
  await browser.waitForCurrent(5);
  await browser.waitUntilSaved();
});

test("Tab and Enter are enough", async () => {
  const { browser, state } = made;
  await browser.press("Tab");
  await browser.press("Tab");
  await browser.press("Tab");
  assert.equal(await browser.page.evaluate(() => document.activeElement.textContent), "Reject");
  await browser.press("Enter");
  await browser.waitForCurrent(9);
  await browser.waitUntilSaved();
  assert.equal(state.status(5), "rejected");
  await browser.press("u");
  await browser.waitForCurrent(5);
  await browser.waitUntilSaved();
});

test("texts are text, whatever stands in them", async () => {
  const { browser } = made;
  await browser.open("#/queue?question=40");
  await browser.waitForCurrent(41);
  assert.match(await browser.going().locator(".text").textContent(), /<img src=x onerror="window.hostile = 1">/);
  assert.deepEqual(await browser.current().locator(".mark").allTextContents(), ["不"]);
  assert.equal(await browser.page.locator("main img").count(), 0);
  await browser.screenshot("hostile-text");
  assert.equal(await browser.page.evaluate(() => window.hostile), undefined);
});

test("the riskiest come first, unless one goes by the question to keep", async () => {
  const { browser, daemon } = made;
  const { groups } = (await daemon.ask("queue")).answer;
  const members = groups.flatMap((group) => group.members);
  assert.equal(members.length, 7);
  assert.deepEqual(members.map(({ risk }) => risk), members.map(({ risk }) => risk).sort().reverse());
  assert.equal(members[0].confidence, "doubtful");
  await browser.open("#/queue");
  for (const { id, risk } of members) {
    await browser.waitForCurrent(id);
    assert.equal(await browser.current().locator(".tags .risk").textContent(), `risk ${(100 * risk).toFixed(2)} %`);
    await browser.press("j");
  }
  await browser.screenshot("risk");
  await browser.page.getByLabel("Highest risk").selectOption("0.2");
  const low = members.filter(({ risk }) => risk <= 0.2);
  await browser.page.locator(".total", { hasText: new RegExp(`^${low.length} `) }).waitFor();
  await browser.waitForCurrent(low[0].id);
  await browser.page.getByLabel("Highest risk").selectOption("");
  await browser.page.getByLabel("Order").selectOption("keeper");
  await browser.page.locator('.members .place', { hasText: "of 3 in this group" }).waitFor();
});

test("? shows the keys and the colours", async () => {
  const { browser } = made;
  await browser.press("?");
  await browser.page.getByRole("dialog").waitFor();
  await browser.screenshot("help");
  await browser.press("a");
  await browser.press("Escape");
  await browser.page.getByRole("dialog").waitFor({ state: "detached" });
  await browser.waitUntilSaved();
  assert.equal(made.state.status(31), "pending");
});

test("everything has a name for screen readers", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  const nameless = await browser.page.locator("button, a, input, select").evaluateAll((all) => all.filter((each) =>
    !(each.textContent.trim() || each.getAttribute("aria-label") || each.labels?.length)).map((each) => each.outerHTML));
  assert.deepEqual(nameless, []);
  const levels = await browser.page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  assert.deepEqual(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1), []);
  assert.equal(await browser.page.evaluate(() => document.activeElement.className), "member pending current");
});
