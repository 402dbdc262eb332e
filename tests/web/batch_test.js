// Approving all of a filter.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const made = review();

const confirm = () => made.browser.page.locator("#confirm");

async function openDialog() {
  await made.browser.page.locator("#batch").click();
  await made.browser.page.getByRole("dialog").waitFor();
}

test("says how many are doubtful, and shows the riskiest first", async () => {
  const { browser, daemon } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  const controls = await browser.page.locator("aside button, aside select").evaluateAll((all) => all.map(({ id }) => id));
  assert.equal(controls.at(-1), "batch");
  await openDialog();
  await browser.page.getByText("Doubtful among them: 3").waitFor();
  const { groups } = (await daemon.ask("queue")).answer;
  const risks = groups.flatMap(({ members }) => members.map(({ risk }) => `risk ${(100 * risk).toFixed(2)} %`));
  assert.deepEqual(await browser.page.locator(".riskiest .risk").allTextContents(), risks);
  assert.equal(await browser.page.locator("dialog button").last().textContent(), "Approve all");
  await browser.press("Escape");
});

test("asks for the count to be typed, beside the riskiest", async () => {
  const { browser } = made;
  await browser.open("#/queue?confidence=safe&order=keeper");
  await browser.waitForCurrent(9);
  await openDialog();
  await browser.page.getByText("Doubtful among them: 0").waitFor();
  assert.equal(await browser.page.locator(".riskiest .pair").count(), 4);
  assert.ok(await confirm().isDisabled());
  await browser.page.locator("#typed").fill("2");
  assert.ok(await confirm().isDisabled());
  await browser.page.locator("#typed").fill("4");
  assert.ok(await confirm().isEnabled());
  await browser.screenshot("batch");
});

test("is refused when the count has changed meanwhile", async () => {
  const { browser, state, daemon } = made;
  const decision = { iteration: 1, question: "12", keeper: "2", decision: "reject", seen: "pending" };
  const headers = { "Content-Type": "application/json" };
  await daemon.ask("decisions", { method: "POST", headers, body: JSON.stringify({ decisions: [decision] }) });
  await confirm().click();
  await browser.page.locator(".batch .result", { hasText: "3 deletions by now" }).waitFor();
  assert.equal(state.status(9), "pending");
  await browser.press("Escape");
  browser.errors.splice(0);  // the console tells of the 409
});

test("says that it does not know, where no answer came", async () => {
  const { browser, state } = made;
  await browser.open("#/queue?question=31&iteration=1");
  await browser.waitForCurrent(31);
  await openDialog();
  await browser.page.locator("#typed").fill("1");
  await browser.page.evaluate(() => {
    const send = window.fetch;
    window.fetch = async (path, options) => {
      const answer = await send(path, options);
      if (!options?.body) return answer;
      window.fetch = send;
      throw new TypeError("the answer is lost");
    };
  });
  await confirm().click();
  await browser.page.locator(".batch .result", { hasText: "they may be approved, or not" }).waitFor();
  await browser.press("Escape");
  await browser.page.locator(".empty").waitFor();
  assert.equal(state.status(31), "approved");
  state.qdedup("review", "reset", 31, 30);
  await browser.open("#/queue?confidence=safe&order=keeper");
  await browser.waitForCurrent(9);
  browser.errors.splice(0);
});

test("approves what the filter has, and nothing else", async () => {
  const { browser, state } = made;
  await openDialog();
  await browser.page.locator("#typed").fill("3");
  await confirm().click();
  await browser.page.getByRole("dialog").waitFor({ state: "detached" });
  await browser.page.locator("#announcement", { hasText: "3 approved" }).waitFor();
  assert.deepEqual(state.list().map(([id, , status]) => [id, status]), [[5, "pending"], [9, "approved"],
    [12, "rejected"], [21, "approved"], [22, "pending"], [31, "approved"], [41, "pending"]]);
});
