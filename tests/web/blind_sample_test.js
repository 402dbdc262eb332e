// Judging a random sample without seeing the verdict.

import assert from "node:assert/strict";
import { test } from "node:test";
import { holdBack } from "./browser.js";
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

test("no sample is drawn by numbers that are none", async () => {
  const { browser } = made;
  const { page } = browser;
  await browser.open("#/blind");
  const asked = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  for (const [pairs, iteration] of [["", ""], ["0", ""], ["1001", ""], ["3", "0"]]) {
    await page.getByLabel("Pairs").fill(pairs);
    await page.getByLabel("Iteration").fill(iteration);
    await page.locator("#draw").click();
    assert.equal(await page.locator("input:invalid").count(), 1);
  }
  assert.deepEqual(asked, []);
});

test("texts for which an answer had no room come when they are looked at", async () => {
  const { browser } = made;
  const { page } = browser;
  await page.route("**/api/review/sample?*", async (route) => {
    const response = await route.fetch();
    const { pairs, ...rest } = await response.json();
    const from = new URL(route.request().url()).searchParams.get("from") ?? "1";
    const fitting = pairs.map(({ keeper, question, ...pair }) =>
      (String(pair.position) === from ? { ...pair, keeper, question } : pair));
    return route.fulfill({ response, json: { ...rest, pairs: fitting } });
  });
  await browser.open("#/blind?sample=1");
  for (const [key, number] of [["j", 2], ["j", 3], ["k", 2], ["k", 1]]) {
    await browser.press(key);
    await page.locator(".place", { hasText: `Pair ${number} of 3, 0 judged` }).waitFor();
    assert.equal(await page.locator(".sides .text").count(), 2);
  }
  await page.unroute("**/api/review/sample?*");
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

test("nor is one about a pair that was gone to meanwhile", async () => {
  const { browser } = made;
  const judgement = await holdBack(browser.page, "judgements");
  await browser.press("a");
  await judgement.asked();
  await browser.press("j");
  await browser.page.locator(".place", { hasText: "Pair 1 of 3, 0 judged" }).waitFor();
  await judgement.come();
  await browser.page.locator(".place", { hasText: "Pair 2 of 3, 1 judged" }).waitFor();
});

test("what could not be taken back may be taken back later", async () => {
  const { browser } = made;
  const { page } = browser;
  await page.route("**/api/review/judgements*", (route) => route.fulfill({ status: 500, json: { error: "no answer" } }),
    { times: 1 });
  await browser.press("u");
  await page.locator("#trouble").getByText("no answer").waitFor();
  browser.errors.splice(0);
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
