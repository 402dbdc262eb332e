// Chinese and English.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Browser } from "./browser.js";
import { ROOT } from "./state.js";
import { review } from "./review.js";
import { en } from "../../web/words_en.js";
import { zh } from "../../web/words_zh.js";

const made = review();
let chinese;
after(() => chinese?.close());

test("both dictionaries have the same words, with the same places to fill in", () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const key of Object.keys(en)) assert.deepEqual(places(zh[key]), places(en[key]), key);
});

test("every word that the page uses is in them", () => {
  const scripts = ["api", "app", "batch", "blind", "dashboard", "facets", "group", "help", "pair", "question", "queue_view", "search"];
  for (const script of scripts) {
    const source = readFileSync(path.join(ROOT, "web", `${script}.js`), "utf8");
    for (const [, key] of source.matchAll(/words\("([\w-]+)"/g)) assert.ok(key in en, `${script}: ${key}`);
  }
});

test("the browser's language counts, and a button changes it for good", async () => {
  chinese = await Browser.start(made.daemon, "小明", { locale: "zh-CN" });
  await chinese.open();
  await chinese.waitForCurrent(5);
  await chinese.page.getByText("当前审核人：小明").waitFor();
  assert.equal(await chinese.page.evaluate(() => document.documentElement.lang), "zh-CN");
  await chinese.screenshot("queue-chinese");
  await chinese.page.locator("#language").click();
  await chinese.page.getByText("You are 小明").waitFor();
  await chinese.open();
  await chinese.page.getByText("You are 小明").waitFor();
  assert.deepEqual(chinese.errors, []);
});

test("a name beyond ASCII is kept in the audit", async () => {
  await chinese.waitForCurrent(5);
  await chinese.press("a");
  await chinese.waitUntilSaved();
  const { answer } = await made.daemon.ask("queue?status=approved");
  assert.equal(answer.groups[0].members[0].given_name, "小明");
});
