// The report of `export --format html`: it needs no script, and none of a question's runs.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

test("no script of a question runs in the report", async () => {
  const { browser, state } = made;
  state.qdedup("export", "--format", "html", "-o", state.path("report.html"));
  await browser.page.goto(pathToFileURL(state.path("report.html")).href);
  await browser.page.locator("#q41").waitFor();
  assert.match(await browser.page.locator("#q31").textContent(), /<script>window.hostile = 1<\/script>/);
  assert.equal(await browser.page.evaluate(() => window.hostile), undefined);
  assert.equal(await browser.page.locator("img").count(), 0);
  await browser.screenshot("report");
});
