// A group that is longer than what the page loads at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { holdBack } from "./browser.js";
import { review } from "./review.js";

const KEEPER = 100;
const MEMBERS = 70;

const made = review((state) => {
  const ids = Array.from({ length: MEMBERS + 1 }, (_, member) => KEEPER + member);
  state.importQuestions(Object.fromEntries(ids.map((id) => [id, "小明有5个苹果，小红有3个苹果，小明比小红多几个苹果？"])));
  state.iterate([ids]);
});

test("a key press at the end of what is loaded waits for what comes", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(101);
  const nextPage = await holdBack(browser.page, "queue?*after=");
  await browser.hold("j", 59);
  await browser.waitForCurrent(160);
  await browser.press("j");
  await browser.press("j");
  await nextPage.come();
  await browser.waitForCurrent(162);
  assert.equal(await browser.page.locator("#announcement").textContent(), "162");
});

test("a decision while a step waits goes no further than that", async () => {
  const { browser, state } = made;
  await browser.page.locator("#from-start").click();
  await browser.waitForCurrent(101);
  const nextPage = await holdBack(browser.page, "queue?*after=");
  await browser.hold("j", 59);
  await browser.waitForCurrent(160);
  await browser.press("j");
  await browser.press("x");
  await nextPage.come();
  await browser.waitForCurrent(161);
  await browser.press("u");
  await browser.waitForCurrent(160);
  await browser.waitUntilSaved();
  assert.equal(state.status(160), "pending");
  await browser.press("j");
  await browser.press("j");
  await browser.waitForCurrent(162);
});

test("a group is decided though the view is left meanwhile", async () => {
  const { browser, state } = made;
  await browser.page.locator("#from-start").click();
  await browser.waitForCurrent(101);
  const nextPage = await holdBack(browser.page, "queue?*after=");
  await browser.press("Shift+X");
  await nextPage.asked();
  await browser.page.getByRole("link", { name: "Dashboard" }).click();
  await browser.page.locator('body[data-shown="dashboard"]').waitFor();
  await nextPage.come();
  await browser.page.locator("#announcement", { hasText: `${MEMBERS} of the group rejected` }).waitFor();
  await browser.waitUntilSaved();
  assert.deepEqual([101, 160, 170].map((id) => state.status(id)), ["rejected", "rejected", "rejected"]);
  assert.match(browser.page.url(), /#\/dashboard$/);
  state.qdedup("review", "reset", "--confidence", "safe");
  await browser.open("#/queue?order=keeper&at=start");
  await browser.hold("j", 61);
  await browser.waitForCurrent(162);
});

test("the page opens in the middle of it", async () => {
  const { browser } = made;
  await browser.hold("j", 4);
  await browser.waitForCurrent(166);
  await browser.open();
  await browser.waitForCurrent(166);
  assert.equal(await browser.page.locator(".members .place").textContent(), "66 of 70 in this group");
});

test("a view that is left while it opens takes no key", async () => {
  const { browser, state } = made;
  const { page } = browser;
  await page.goto("about:blank");
  const nextPage = await holdBack(page, "queue?*after=");
  const counts = page.waitForResponse("**/api/review/facets*");
  await page.goto(`${made.daemon.origin}/#/queue?order=keeper`);
  await (await counts).finished();
  await nextPage.asked();
  await page.getByRole("link", { name: "Dashboard" }).click();
  await page.locator('body[data-shown="dashboard"]').waitFor();
  await nextPage.come();
  await browser.press("x");
  await browser.waitUntilSaved();
  assert.equal(state.status(166), "pending");
  await browser.open();
  await browser.waitForCurrent(166);
});

test("what cannot be loaded is not the end, and comes when the connection is back", async () => {
  const { browser } = made;
  await browser.page.locator("#from-start").click();
  await browser.waitForCurrent(101);
  await browser.page.route("**/api/**", (route) => route.abort());
  await browser.hold("j", 60);
  await browser.waitForCurrent(160);
  await browser.page.locator("#announcement", { hasText: "That did not work: the daemon does not reply" }).waitFor();
  await browser.page.unroute("**/api/**");
  await browser.page.locator("#retrying").waitFor({ state: "hidden" });
  await browser.press("j");
  await browser.waitForCurrent(161);
  browser.errors.splice(0);
});

test("a keeper whose text has changed is not shown with the old one", async () => {
  const { browser, state } = made;
  await browser.open("#/queue?order=keeper&at=start");
  await browser.waitForCurrent(101);
  const changed = [KEEPER, ...Array.from({ length: 10 }, (_, member) => 161 + member)];
  state.importQuestions(Object.fromEntries(changed.map((id) => [id, "小明有6个苹果，小红有3个苹果，小明比小红多几个苹果？"])));
  state.qdedup("sweep");
  await browser.hold("j", 60);
  await browser.waitForCurrent(161);
  assert.match(await browser.current().locator(".keep").textContent(), /小明有6个苹果/);
  assert.match(await browser.going().textContent(), /小明有6个苹果/);
});

test("a decision on a group is taken back as a whole, however large", async () => {
  const { browser, state } = made;
  const ids = Array.from({ length: 231 }, (_, member) => 5000 + member);
  state.importQuestions(Object.fromEntries(ids.map((id) => [id, "一辆汽车每小时行60千米，3小时行多少千米？"])));
  state.qdedup("sweep");
  const statuses = () => new Set(state.list().filter(([, keeper]) => keeper === 5000).map(([, , status]) => status));
  await browser.open("#/queue?order=size&at=start");
  await browser.waitForCurrent(5001);
  await browser.press("Shift+A");
  await browser.page.locator("#announcement", { hasText: "230 of the group approved" }).waitFor();
  await browser.waitUntilSaved();
  assert.deepEqual(statuses(), new Set(["approved"]));
  await browser.open();
  await browser.press("u");
  await browser.page.locator("#announcement", { hasText: "5001" }).waitFor();
  await browser.waitUntilSaved();
  assert.deepEqual(statuses(), new Set(["pending"]));
});
