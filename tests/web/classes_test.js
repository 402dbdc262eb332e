// The list of classes, and who is in one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./browser.js";
import { ENGINE } from "./engines.js";
import { Daemon } from "./daemon.js";
import { review } from "./review.js";
import { State } from "./state.js";

const made = review();

const representatives = () => made.browser.page.locator("tbody th").allTextContents();

test("classes by size and by id, with their representatives' texts", async () => {
  const { browser } = made;
  await browser.open("#/classes");
  await browser.page.getByText("Classes of duplicates: 4").waitFor();
  assert.deepEqual(await representatives(), ["2", "20", "30", "40"]);
  assert.deepEqual(await browser.page.locator("tbody td.number").allTextContents(), ["4", "3", "2", "2"]);
  await browser.page.locator("#class-order").selectOption("smallest");
  await browser.page.locator("tbody th").first().getByText("30").waitFor();
  assert.deepEqual(await representatives(), ["30", "40", "20", "2"]);
  assert.match(await browser.page.locator("tbody tr").first().textContent(), /解方程 2x/);
  await browser.screenshot("classes");
});

test("it fits a phone", async () => {
  const phone = await Browser.start(made.daemon, "ann", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await phone.open("#/classes");
  await ENGINE.tap(phone.page.getByRole("button", { name: "20", exact: true }));
  await phone.page.getByRole("dialog").waitFor();
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= 390));
  await phone.screenshot("phone-classes");
  await phone.close();
});

test("who is in a class leads to the queue", async () => {
  const { browser } = made;
  await browser.page.getByRole("button", { name: "2", exact: true }).click();
  const dialog = browser.page.getByRole("dialog");
  await dialog.waitFor();
  assert.deepEqual(await dialog.locator("li a").allTextContents(), ["5", "9", "12"]);
  await browser.screenshot("class");
  await dialog.locator("li a").nth(1).click();
  await browser.waitForCurrent(9);
});

test("a double click opens a class once", async () => {
  const { page } = made.browser;
  await made.browser.open("#/classes");
  await page.getByRole("button", { name: "2", exact: true }).dblclick();
  await page.getByRole("dialog").first().waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await page.getByRole("dialog").count(), 1);
  await page.keyboard.press("Escape");
});

test("a dialog is gone where another place is gone to", async () => {
  const { browser } = made;
  await browser.open("#/classes");
  await browser.page.getByRole("button", { name: "2", exact: true }).click();
  await browser.page.getByRole("dialog").waitFor();
  await browser.page.evaluate(() => {
    location.hash = "#/dashboard";
  });
  await browser.page.getByRole("dialog").waitFor({ state: "detached" });
});

test("a class of hundreds is shown to its end", async () => {
  const state = new State();
  const ids = Array.from({ length: 231 }, (_, member) => 1 + member);
  state.importQuestions(Object.fromEntries(ids.map((id) => [id, "一辆汽车每小时行60千米，3小时行多少千米？"])));
  state.qdedup("sweep");
  const daemon = await Daemon.start(state);
  const browser = await Browser.start(daemon);
  await browser.open("#/classes");
  await browser.page.getByRole("button", { name: "1", exact: true }).click();
  const dialog = browser.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "30 more" }).click();
  await dialog.locator("li:nth-child(230)").waitFor();
  assert.deepEqual(await dialog.locator("li a").allTextContents(), ids.slice(1).map(String));
  assert.ok(await browser.page.locator("#more-members").isHidden());
  await browser.close();
  await daemon.stop();
  state.remove();
});

test("a button shows more of them, in their order, until all are there", async () => {
  const state = new State();
  const pairs = Array.from({ length: 90 }, (_, index) => [2 * index + 1, 2 * index + 2]);
  state.importQuestions(Object.fromEntries(pairs.flatMap(([keeper, other]) =>
    [keeper, other].map((id) => [id, `第${keeper}只小鸡和小鸭一共有多少条腿？`]))));
  state.iterate(pairs);
  const daemon = await Daemon.start(state);
  const browser = await Browser.start(daemon);
  const shown = () => browser.page.locator("tbody th").allTextContents();
  const more = browser.page.locator("#more-classes");
  await browser.open("#/classes?sort=representative");
  await browser.page.getByText("Classes of duplicates: 90").waitFor();
  for (const count of [40, 80]) {
    await browser.page.locator(`tbody tr:nth-child(${count})`).waitFor();
    assert.equal((await shown()).length, count);
    await more.click();
  }
  await browser.page.locator("tbody tr:nth-child(90)").waitFor();
  assert.deepEqual(await shown(), pairs.map(([keeper]) => String(keeper)));
  assert.ok(await more.isHidden());
  await browser.close();
  await daemon.stop();
  state.remove();
});
