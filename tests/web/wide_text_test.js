// Texts without a place to break, and tables that are wider than a side: nothing leaves its card.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const WORD = "a".repeat(300);
const CELL = "这个表格的单元格里有一段相当长的文字需要换行显示".repeat(3);
const TABLE = `<table><tr><td>${CELL}</td><td>${CELL}</td></tr></table>`;

const made = review((state) => {
  state.settings = '[text]\nmarkup = "auto"\n';
  state.importQuestions({
    2: ["小明有5个苹果，小红有3个苹果，小明比小红多几个苹果？", WORD],
    5: ["小明有5个苹果，小红有3个苹果，小红比小明少几个苹果？", WORD],
    10: [`<p>看表回答，从表中可以看出哪一个比较大呢？</p>${TABLE}`, TABLE],
    11: [`<p>看表回答，从表中可以看出哪一个比较小呢？</p>${TABLE}`, TABLE],
  });
  state.iterate([[2, 5], [10, 11]]);
});

// What stands outside of the card that holds it.
function outside(card) {
  const { left, right } = card.getBoundingClientRect();
  const boxes = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()];
  };
  return [...card.querySelectorAll(".keep, .delete")].flatMap((side) => {
    const bounds = side.getBoundingClientRect();
    return [...side.querySelectorAll(".text, .answer, td")].filter((element) =>
      boxes(element).some((box) => box.right > bounds.right + 1 || box.left < bounds.left - 1)).map((each) => each.className || each.localName);
  }).concat(right > innerWidth || left < 0 ? ["card"] : []);
}

for (const width of [1200, 390]) {
  test(`long words and wide tables stay in their side, at ${width}`, async () => {
    const { browser } = made;
    await browser.page.setViewportSize({ width, height: 800 });
    for (const id of [5, 11]) {
      await browser.open(`#/queue?question=${id}`);
      await browser.waitForCurrent(id);
      assert.deepEqual(await browser.current().evaluate(outside), [], `${id}`);
    }
    await browser.screenshot(`wide-${width}`);
  });
}

test("a long note stays in its card", async () => {
  const { browser } = made;
  await browser.page.setViewportSize({ width: 1200, height: 800 });
  await browser.open("#/queue?question=5");
  await browser.waitForCurrent(5);
  await browser.page.locator(".note-input").fill(WORD);
  await browser.page.keyboard.press("Enter");
  await browser.press("a");
  await browser.waitUntilSaved();
  await browser.open("#/queue?question=5&status=approved");
  await browser.page.locator(".note").waitFor();
  assert.ok(await browser.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});
