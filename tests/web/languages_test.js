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

test('both dictionaries have the same words, with the same places to fill in', () => {
  const translated = Object.keys(zh).filter((key) => key in en || !key.startsWith('refused_'));
  assert.deepEqual(translated.sort(), Object.keys(en).sort());
  const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const key of Object.keys(zh)) assert.deepEqual(places(zh[key]), places(en[key] ?? key), key);
});

test("every word that the page uses is in them", () => {
  const scripts = ["api", "app", "batch", "blind", "dashboard", "facets", "group", "help", "pair", "question", "queue_view", "search"];
  for (const script of scripts) {
    const source = readFileSync(path.join(ROOT, "web", `${script}.js`), "utf8");
    for (const [, key] of source.matchAll(/words\("([\w-]+)"/g)) assert.ok(key in en, `${script}: ${key}`);
  }
});

test("that too much waits is said in Chinese", async () => {
  const busy = await Browser.start(made.daemon, "小明", { locale: "zh-CN" });
  await busy.open("#/dashboard");
  for (const what of ["decisions", "requests"]) {
    for (const who of [`too many ${what}`, `8 of your ${what} are at work or`]) {
      await busy.page.route("**/api/review/dashboard", (route) =>
        route.fulfill({ status: 503, json: { error: `${who} wait already; try again later` } }), { times: 1 });
      await busy.open("#/dashboard");
      assert.doesNotMatch(await busy.page.locator(".unloaded p").first().textContent(), /[a-z]/);
    }
  }
  await busy.close();
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

test("what the daemon refuses is said in the reader's language", async () => {
  const { page } = chinese;
  await page.locator("#language").click();
  await page.getByText("当前审核人：小明").waitFor();
  await chinese.waitForCurrent(9);
  const refuse = (reason) => page.route("**/api/review/decisions*", (route) =>
    route.fulfill({ json: { results: [{ code: 409, status: "pending", reason }] } }), { times: 1 });
  for (const [question, next, reason, said] of [[9, 12, "its keeper is 7 by now", "未保存：要保留的题目已换成 7。"],
    [12, 21, "is applied by now", "未保存：此时已是：已执行。"], [21, 22, "is odd in a way", "未保存：is odd in a way。"]]) {
    await refuse(reason);
    await chinese.press("x");
    await chinese.waitForCurrent(next);
    await chinese.waitUntilSaved();
    await page.getByText(said).first().waitFor({ state: "attached" });
    assert.equal(made.state.status(question), "pending");
  }
});
