// 100,000 pending pairs: the page stays fluent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const KEEPERS = 20000;
const MEMBERS = 5;
const STEP = 10;
const WORDS = ["苹果", "梨子", "桃子", "铅笔", "本子", "鸭子", "小鸡", "白兔"];

// Five rewordings of each of 20,000 questions.
function crowd(state) {
  const questions = {};
  const lists = [];
  for (let i = 1; i <= KEEPERS; i += 1) {
    const story = `小明有${i}个${WORDS[i % WORDS.length]}，送给小红${i % 97}个，现在`;
    const ids = [];
    for (let member = 0; member <= MEMBERS; member += 1) {
      ids.push(i * STEP + member);
      questions[i * STEP + member] = [`${story}还剩多少个？`, `${story}还剩下多少个？`, `${story}小明还剩多少个？`,
        `${story}还剩几个？`, `请问${story}还剩多少个？`, `${story}一共还剩多少个？`][member];
    }
    lists.push(ids);
  }
  state.importQuestions(questions);
  state.iterate(lists);
}

const made = review(crowd);

// How long the slowest of `presses` key presses kept the page busy, in milliseconds.
async function slowestPress(page, key, presses) {
  return page.evaluate(([pressed, times]) => {
    let slowest = 0;
    for (let i = 0; i < times; i += 1) {
      const begin = performance.now();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true }));
      document.body.getBoundingClientRect();
      slowest = Math.max(slowest, performance.now() - begin);
    }
    return slowest;
  }, [key, presses]);
}

test("opens, filters and counts them", async () => {
  const { browser, daemon } = made;
  await browser.open();
  await browser.page.locator(".total", { hasText: /^100,000 / }).waitFor();
  const begin = performance.now();
  for (const name of ["queue", "facets", "queue?order=keeper&after=0-190000-190001",
    "queue?confidence=doubtful&after=5000-100000-0"]) {
    assert.equal((await daemon.ask(name)).status, 200);
  }
  made.answered = performance.now() - begin;
  console.log(`four questions to the daemon: ${made.answered.toFixed(0)} ms`);
  await browser.screenshot("crowd");
});

test("moves and decides without a pause", async () => {
  const { browser } = made;
  await browser.waitForCurrent(11);
  const moving = await slowestPress(browser.page, "j", 20);
  const deciding = await slowestPress(browser.page, "a", 20);
  console.log(`slowest press: ${moving.toFixed(1)} ms to move, ${deciding.toFixed(1)} ms to decide`);
  await browser.waitUntilSaved();
  assert.equal((await made.daemon.ask("facets?status=approved")).answer.total, 20);
});

test("goes on and on as fast as keys come", async () => {
  const { browser } = made;
  for (let press = 0; press < 150; press += 1) {
    const before = await browser.current().getAttribute("data-question");
    await browser.press("x");
    await browser.page.locator(`.member.current:not([data-question="${before}"])`).waitFor();
  }
  await browser.waitUntilSaved();
  assert.equal((await made.daemon.ask("facets?status=rejected")).answer.total, 150);
});

test("keeps no more on the page than is looked at", async () => {
  const { browser } = made;
  assert.ok(await browser.page.locator("main *").count() < 1500);
});

test("approves tens of thousands at once", async () => {
  const { daemon } = made;
  const { count, seen } = (await daemon.ask("batch?confidence=safe")).answer;
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ filter: { confidence: "safe" }, count, seen });
  const begin = performance.now();
  const { answer } = await daemon.ask("batch", { method: "POST", headers, body });
  console.log(`${count} approved at once: ${(performance.now() - begin).toFixed(0)} ms`);
  assert.equal(answer.approved, count);
  assert.equal((await daemon.ask("facets?confidence=safe")).answer.total, 0);
});
