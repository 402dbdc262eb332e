// Filters, their counts, and the place in the address.

import assert from "node:assert/strict";
import { test } from "node:test";
import { holdBack } from "./browser.js";
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

const searched = (text) => made.browser.page.getByLabel("Number or words of a question").fill(text)
  .then(() => made.browser.page.getByRole("button", { name: "Find", exact: true }).click());

test("what is found late takes nobody away from where they went on", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  const found = await holdBack(browser.page, "search");
  await searched("22");
  await found.asked();
  await browser.press("j");
  await browser.waitForCurrent(9);
  await found.come();
  await browser.page.locator("dialog .found li", { hasText: "22 → 20" }).waitFor();
  await browser.waitForCurrent(9);
  await browser.page.locator("dialog .found a").click();
  await browser.waitForCurrent(22);
  await total(1);
});

test("two presses find the next ones once", async () => {
  const { browser } = made;
  const { page } = browser;
  await page.route("**/api/review/search*", (route) => {
    const id = new URL(route.request().url()).searchParams.get("before") ?? "9";
    const pairs = [{ id, keeper: "2", iteration: 1, status: "pending", text: "x" }];
    return route.fulfill({ json: { pairs, looked: 1, next: Number(id) - 1 } });
  });
  await searched("x");
  await page.locator("#search-on").waitFor();
  await page.evaluate(() => {
    document.querySelector("#search-on").click();
    document.querySelector("#search-on").click();
  });
  await page.locator("#search-on:enabled").waitFor();
  assert.deepEqual(await page.locator("dialog .found a").allTextContents(), ["9 → 2", "8 → 2"]);
  await page.unroute("**/api/review/search*");
  await page.locator("dialog").getByRole("button", { name: "Close" }).click();
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

test("an address that leads nowhere leads to the queue", async () => {
  const { browser } = made;
  for (const name of ["nowhere", "constructor"]) {
    await browser.open(`#/${name}`);
    await browser.page.locator('body[data-shown="queue"]').waitFor();
    await browser.current().waitFor();
  }
});
