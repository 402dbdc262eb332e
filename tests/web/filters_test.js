// Filters, their counts, and the place in the address.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

const facet = (title, label) => made.browser.page.locator(`[data-facet="${title}"] button`, { hasText: label });
const total = (count) => made.browser.page.locator(".total", { hasText: new RegExp(`^${count} `) }).waitFor();

test("a click on a bar filters, another lets go", async () => {
  const { browser } = made;
  await browser.open();
  await total(7);
  await facet("confidence", "doubtful").click();
  await total(3);
  assert.equal(await facet("confidence", "doubtful").getAttribute("aria-pressed"), "true");
  assert.equal(await facet("confidence", "safe").locator(".count").textContent(), "4");
  await browser.screenshot("filtered");
  await facet("confidence", "doubtful").click();
  await total(7);
});

test("filters combine, and the address keeps them", async () => {
  const { browser } = made;
  await facet("reason", "unit").click();
  await browser.waitForCurrent(22);
  await browser.current().locator(".findings .doubt", { hasText: "unit" }).first().waitFor();
  await total(1);
  await browser.page.waitForURL(/reason=unit.*at=[0-9.]+-20-22/);
  const url = browser.page.url();
  await browser.page.goto("about:blank");
  await browser.page.goto(url);
  await browser.waitForCurrent(22);
  await total(1);
  await browser.page.locator("#clear").click();
  await total(7);
});

test("similarity is a histogram to click at", async () => {
  const { browser } = made;
  await facet("similarity", "100 %").click();
  await browser.waitForCurrent(9);
  await total(1);
  await browser.page.goBack();
  await total(7);
});

// Between a step and what it leads to, a timer of the view that is left may fire.
test("a step is not undone by the note of where one was", async () => {
  const { browser } = made;
  await browser.page.evaluate(() => {
    const start = window.setTimeout;
    window.started = [];
    window.setTimeout = (action, pause) => {
      window.started.push(action);
      return start(action, pause);
    };
  });
  await browser.press("j");
  await browser.page.evaluate(() => {
    location.hash = "#/queue?confidence=doubtful";
    for (const action of window.started) action();
  });
  await total(3);
  await browser.page.goBack();
  await total(7);
});

test("a question is found by its number", async () => {
  const { browser } = made;
  await browser.page.getByLabel("Number or words of a question").fill("22");
  await browser.page.getByRole("button", { name: "Find", exact: true }).click();
  await browser.waitForCurrent(22);
  await total(1);
});

test("other statuses are shown, and can be taken back", async () => {
  const { browser, state } = made;
  await browser.press("x");
  await browser.waitUntilSaved();
  await browser.open("#/queue");
  await browser.page.getByLabel("Status").selectOption("rejected");
  await browser.waitForCurrent(22);
  await browser.current().getByRole("button", { name: "Back to pending" }).click();
  await browser.waitUntilSaved();
  assert.equal(state.status(22), "pending");
});

test("what is chosen is in sight, whatever else there is", async () => {
  const { browser } = made;
  await browser.open("#/queue?reason=misspelling");
  await browser.page.locator('[data-facet="reason"] > ul button[aria-pressed="true"]', { hasText: "misspelling" }).waitFor();
  assert.ok(await browser.page.locator(".facet ul").evaluateAll((all) =>
    all.every((each) => each.scrollHeight <= each.clientHeight)));
  const more = browser.page.locator('[data-facet="reason"] details');
  assert.equal(await more.count(), 1);
  assert.equal(await browser.page.locator('[data-facet="reason"] > ul button').count(), 8);
  await more.locator("summary").click();
  await more.locator("button").last().click();
  await browser.page.locator('[data-facet="reason"] > ul button[aria-pressed="true"]').waitFor();
});

test("an empty queue says so", async () => {
  const { browser } = made;
  await browser.open("#/queue?status=applied");
  await browser.page.locator(".empty").waitFor();
  await browser.screenshot("empty-queue");
});
