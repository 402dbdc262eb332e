// Judging a random sample without seeing the verdict.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

test("draws safe pairs and shows no verdict", async () => {
  const { browser } = made;
  await browser.open("#/blind");
  await browser.page.getByLabel("Pairs").fill("3");
  await browser.page.locator("#draw").click();
  await browser.page.locator(".place", { hasText: "Pair 1 of 3, 0 judged" }).waitFor();
  assert.equal(await browser.page.locator(".tags, .status").count(), 0);
  await browser.screenshot("blind-sample");
});

test("a second press is not about a pair that is not shown yet", async () => {
  const { browser } = made;
  const { page } = browser;
  let sent = 0;
  let open;
  const opened = new Promise((resolve) => { open = resolve; });
  await page.route("**/api/review/judgements*", async (route) => { sent += 1; await opened; return route.continue(); });
  await page.evaluate(() => {
    for (const key of ["a", "a"]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  open();
  await page.locator(".place", { hasText: "Pair 2 of 3, 1 judged" }).waitFor();
  assert.equal(sent, 1);
  await page.unroute("**/api/review/judgements*");
  await browser.press("u");
  await page.locator(".place", { hasText: "Pair 1 of 3, 0 judged" }).waitFor();
});

test("is judged by keys, taken back, and gives the precision", async () => {
  const { browser } = made;
  await browser.hold("a", 3);
  await browser.page.locator(".place", { hasText: "Pair 2 of 3, 1 judged" }).waitFor();
  await browser.press("x");
  await browser.page.locator(".place", { hasText: "Pair 3 of 3, 2 judged" }).waitFor();
  await browser.press("u");
  await browser.page.locator(".place", { hasText: "Pair 2 of 3, 1 judged" }).waitFor();
  await browser.press("a");
  await browser.page.locator(".place", { hasText: "Pair 3 of 3, 2 judged" }).waitFor();
  await browser.press("x");
  await browser.page.locator(".place", { hasText: "All of this sample are judged" }).waitFor();
  await browser.page.getByRole("button", { name: "All samples" }).click();
  const row = browser.page.getByRole("row").nth(1);
  await row.waitFor();
  assert.match(await row.textContent(), /3 \/ 3.*66\.7 %.*20\.8 % – 93\.9 %/);
  await browser.screenshot("samples");
});
