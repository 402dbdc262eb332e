// Long passages: what is alike stands side by side and folds, what differs is gone to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { review } from "./review.js";

const sentence = (number) => `第${number}段说，春天来了，校园里开满了鲜花，同学们在操场上做游戏。`;
const passage = (count) => Array.from({ length: count }, (_, index) => sentence("甲乙丙丁戊己庚辛壬癸"[index % 10])).join("");
const LONG = passage(40);
const CONTEXT = 24;  // of web/alignment.js
const ends = ["作者的心情是高兴的。", "作者的心情是悲伤的。"];
const formula = "\\(\\frac{1}{2}\\)";

const made = review((state) => {
  state.settings = '[text]\nmarkup = "auto"\n';
  state.importQuestions({
    2: `${LONG}${ends[0]}${LONG}`,
    5: `${LONG}${ends[1]}${LONG}`,
    20: "读诗，选出对的一项。\nA. 山很高，水很长，天很蓝，云很白\nB. 花很红，叶很绿\nC. 月很圆，风很轻",
    21: "读诗，选出对的一项。\nA. 山很高，水很长，天很蓝，云真的确实是很白\nB. 花很红，叶很绿\nC. 月很圆，风很轻",
    30: `${formula}${LONG}求${formula}米的绳子长多少。${LONG}${formula}`,
    31: `${formula}${LONG}求${formula}米的绳子有多长。${LONG}${formula}`,
    40: LONG,
    41: `${LONG}。`,
  });
  state.iterate([[2, 5], [20, 21], [30, 31], [40, 41]]);
});

const texts = (side) => made.browser.current().locator(`.${side} .text`).allTextContents();
const tops = (selector) => made.browser.current().locator(selector).evaluateAll((all) =>
  all.map((each) => Math.round(each.getBoundingClientRect().top)));

test("equal stretches fold, on both sides at once", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  const folds = browser.current().locator(".fold");
  assert.deepEqual(await browser.current().locator(".keep .fold").allTextContents(),
    ["作者的心情是".length, "的。".length].map((more) =>
      `${(LONG.length + more - 2 * CONTEXT).toLocaleString("en-GB")} equal characters`));
  assert.equal(await folds.count(), 4);
  assert.match((await texts("keep"))[1], /的心情是高兴的。/);
  await folds.first().click();
  assert.equal(await folds.count(), 2);
  for (const [side, end] of [["keep", ends[0]], ["delete", ends[1]]]) {
    assert.ok((await texts(side)).join("").startsWith(`${LONG}${end}`), side);
  }
  assert.equal(await browser.page.evaluate(() => document.activeElement.className), "text");
  await browser.screenshot("long-passage");
});

test("what was unfolded stays so while other things are told of", async () => {
  const { browser } = made;
  await browser.press("x");
  await browser.waitForCurrent(21);
  await browser.press("u");
  await browser.waitForCurrent(5);
  await browser.waitUntilSaved();
  assert.equal(await browser.current().locator(".fold").count(), 2);
});

test("rows stand at one height, line by line", async () => {
  const { browser } = made;
  await browser.press("j");
  await browser.waitForCurrent(21);
  await browser.page.setViewportSize({ width: 800, height: 800 });
  assert.equal((await texts("keep")).length, 4);
  assert.deepEqual(await tops(".keep .text"), await tops(".delete .text"));
  assert.equal(new Set(await browser.current().locator(".text").evaluateAll((all) =>
    all.map((each) => Math.round(each.getBoundingClientRect().height)))).size, 2, "one line is longer than the others");
  await browser.page.setViewportSize({ width: 1280, height: 800 });
});

test("a key goes to the next difference, and round", async () => {
  const { browser } = made;
  await browser.press("k");
  await browser.waitForCurrent(5);
  await browser.page.setViewportSize({ width: 1280, height: 400 });
  const here = browser.current().locator(".here");
  const announced = (text) => browser.page.locator("#announcement", { hasText: text }).waitFor();
  await browser.press("d");
  await announced("Difference 1 of 1");
  assert.deepEqual(await here.allTextContents(), ["高兴", "悲伤"]);
  assert.ok(await here.first().evaluate((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  }));
  await browser.press("Shift+D");
  await announced("Difference 1 of 1");
  await browser.press("j");
  await browser.press("j");
  await browser.press("j");
  await browser.waitForCurrent(41);
  await browser.press("d");
  await announced("Nothing differs but punctuation and spelling.");
});

test("the buttons stay in sight", async () => {
  const { browser } = made;
  await browser.press("k");
  await browser.press("k");
  await browser.press("k");
  await browser.waitForCurrent(5);
  for (const end of [0, 1]) {
    await browser.page.evaluate((share) => scrollTo(0, share * document.documentElement.scrollHeight), end);
    assert.ok(await browser.current().getByRole("button", { name: "Approve" }).evaluate((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && document.elementFromPoint(each.getBoundingClientRect().x + 5, top + 5) === each;
    }), `${end}`);
  }
  await browser.page.setViewportSize({ width: 1280, height: 800 });
});

test("formulas stay whole where texts fold", async () => {
  const { browser } = made;
  await browser.open("#/queue?question=31");
  await browser.waitForCurrent(31);
  assert.equal(await browser.current().locator(".keep .fold").count(), 2);
  assert.equal(await browser.current().locator(".keep math mfrac").count(), 3);
  for (const fold of [0, 0]) await browser.current().locator(".keep .fold").nth(fold).click();
  assert.equal((await texts("keep")).join("").replaceAll(/\s/g, "").length, (await texts("delete")).join("").replaceAll(/\s/g, "").length);
  assert.equal(await browser.current().locator(".delete math mfrac").count(), 3);
});
