// The dashboard, in light and dark, wide and on a tablet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { Browser } from "./browser.js";
import { Daemon } from "./daemon.js";
import { State } from "./state.js";
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

const table = (name) => made.browser.page.getByRole("region", { name, exact: true });

test("shows iterations, trends, and how the daemon is", async () => {
  const { browser } = made;
  await browser.open("#/dashboard");
  await browser.page.locator(".tile.good", { hasText: "works" }).waitFor();
  assert.equal(await table("Iterations").locator("tbody tr").count(), 2);
  const chart = browser.page.locator("svg.chart");
  assert.deepEqual((await chart.locator("text").allTextContents()).filter((text) => /^[A-Z]/.test(text)), ["Deletions", "Iteration"]);
  const rates = await table("Rejected of those decided, by reason").locator("tbody tr").allTextContents();
  assert.ok(rates.some((text) => /^quantity1 \/ 1100\.0 %20\.7 % – 100\.0 %$/.test(text)), rates.join("\n"));
  await browser.screenshot("dashboard");
});

test("leads to the queue of an iteration", async () => {
  const { browser } = made;
  await table("Iterations").locator("a", { hasText: "2" }).click();
  await browser.page.locator('.member.current[data-iteration="2"]').waitFor();
});

test("the share that logs named is that of logs, whatever a sweep looked at", async () => {
  const { browser, state, daemon } = made;
  await browser.page.goto("about:blank");
  await daemon.stop();
  state.importQuestions({ 60: "一辆汽车每小时行60千米，3小时行多少千米？", 61: "一辆汽车每小时行60千米，3小时能行多少千米？" });
  state.qdedup("sweep");
  await daemon.begin();
  await browser.open("#/dashboard");
  await table("Iterations").getByText("sweep").waitFor();
  const tile = browser.page.locator(".tile", { hasText: "Share of the bank that logs named" });
  assert.match(await tile.textContent(), /84\.6 %in iteration 2$/);
  assert.equal(await table("Iterations").getByRole("columnheader", { name: "Coverage" }).count(), 0);
});

test("times are those of the schedule's zone, in the reader's form", async () => {
  const { browser, state, daemon } = made;
  await browser.page.goto("about:blank");
  await daemon.stop();
  state.write("qdedup.toml", readFileSync(state.path("qdedup.toml"), "utf8")
    .replace('every = "off"', 'every = "daily 03:00"\ntime_zone = "Pacific/Kiritimati"'));
  await daemon.begin();
  await browser.open("#/dashboard");
  const next = browser.page.locator(".tile", { hasText: "Next iteration" });
  assert.match(await next.textContent(), /\d+ \w+ 20\d\d, 03:00Pacific\/Kiritimati$/);
  await table("Iterations").getByRole("columnheader", { name: "Finished (Pacific/Kiritimati)" }).waitFor();
});

test("shows what reviewers did, and how far they agree with others", async () => {
  const { browser, daemon } = made;
  await browser.open("#/queue?order=keeper&confidence=safe&at=start");
  await browser.current().waitFor();
  await browser.press("a");
  await browser.waitUntilSaved();
  await browser.open("#/dashboard");
  const row = table("Reviewers").locator("tbody tr", { hasText: "ann (as token)" });
  await row.waitFor();
  assert.match(await row.textContent(), /^ann \(as token\)10/);
  assert.equal((await daemon.ask("dashboard")).status, 200);
});

test("says what to do where there is nothing yet", async () => {
  const state = new State();
  state.importQuestions({ 1: "一" });
  const daemon = await Daemon.start(state);
  const browser = await Browser.start(daemon);
  await browser.open("#/dashboard");
  await browser.page.getByText("There was no iteration yet. Put the bank in").waitFor();
  await browser.page.getByText("[schedule] every in the config sets one").waitFor();
  await browser.open("#/blind");
  await browser.page.getByText("No sample yet.").waitFor();
  assert.deepEqual(browser.errors, []);
  await browser.close();
  await daemon.stop();
  state.remove();
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

test("fits a tablet and a small laptop, with one row of header", async () => {
  const { browser } = made;
  await browser.page.emulateMedia({ colorScheme: "light" });
  for (const [name, width, height] of [["laptop", 1024, 768], ["tablet", 820, 1180], ["narrow", 600, 960]]) {
    await browser.page.setViewportSize({ width, height });
    for (const view of ["queue", "dashboard"]) {
      await browser.open(`#/${view}?order=keeper&at=0-20-0`);
      await browser.page.locator(view === "queue" ? ".member.current" : ".tile").first().waitFor();
      await browser.screenshot(`${view}-${name}`);
      assert.ok(await browser.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} ${width}`);
      assert.ok((await browser.page.locator("body > header").boundingBox()).height <= 52, `${view} ${width}`);
    }
  }
});
