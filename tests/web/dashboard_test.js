// The dashboard, in light and dark, wide and on a tablet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";
import { QUESTIONS, LISTS } from "./questions.js";

const made = review((state) => {
  state.importQuestions(QUESTIONS);
  state.iterate(LISTS.slice(0, 1), "first.log");
  state.qdedup("review", "reject", 5, 2);
  state.qdedup("review", "approve", 9, 2);
  state.iterate(LISTS, "second.log");
  state.qdedup("review", "reject", 22, 20);
});

test("shows iterations, trends, and how the daemon is", async () => {
  const { browser } = made;
  await browser.open("#/dashboard");
  await browser.page.locator(".tile.good", { hasText: "works" }).waitFor();
  assert.equal(await browser.page.locator("tbody tr").count(), 2);
  assert.equal(await browser.page.locator("svg.chart").count(), 2);
  assert.match(await browser.page.locator(".chart-legend").last().textContent(), /quantity.*roles swapped|roles swapped.*quantity/);
  await browser.screenshot("dashboard");
});

test("leads to the queue of an iteration", async () => {
  const { browser } = made;
  await browser.page.locator("tbody a", { hasText: "2" }).click();
  await browser.page.locator('.member.current[data-iteration="2"]').waitFor();
});

test("is readable in the dark", async () => {
  const { browser } = made;
  await browser.page.emulateMedia({ colorScheme: "dark" });
  await browser.open("#/dashboard");
  await browser.screenshot("dashboard-dark");
  await browser.open("#/queue?order=keeper&at=0-20-0");
  await browser.waitForCurrent(21);
  await browser.screenshot("queue-dark");
});

test("fits a tablet", async () => {
  const { browser } = made;
  await browser.page.emulateMedia({ colorScheme: "light" });
  for (const [name, width, height] of [["tablet", 820, 1180], ["narrow", 600, 960]]) {
    await browser.page.setViewportSize({ width, height });
    for (const view of ["queue", "dashboard"]) {
      await browser.open(`#/${view}?order=keeper&at=0-20-0`);
      await browser.page.locator(view === "queue" ? ".member.current" : ".tile").first().waitFor();
      await browser.screenshot(`${view}-${name}`);
      assert.ok(await browser.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} ${width}`);
    }
  }
});
