// What axe says of each page, wide in light English and on a phone in dark Chinese; and what the keyboard reaches.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";
import { findings } from "./accessibility.js";
import { Browser } from "./browser.js";
import { review } from "./review.js";
import { LISTS, QUESTIONS } from "./questions.js";

const LONG = "春天来了，校园里开满了鲜花，同学们在操场上做游戏。".repeat(12);

const made = review((state) => {
  state.importQuestions({ ...QUESTIONS, 50: `${LONG}作者高兴吗？`, 51: `${LONG}作者悲伤吗？` });
  state.iterate([...LISTS, [50, 51]]);
  state.qdedup("review", "reject", 5, 2);
});
let browser;  // one of a test's own
after(() => browser?.close());

// Goes to each page and calls `look(name)` there.
async function tour(browser, look) {
  const { page } = browser;
  await browser.open("#/queue?question=51");
  await browser.waitForCurrent(51);
  await look("long passage");
  await browser.press("?");
  await page.getByRole("dialog").waitFor();
  await look("help");
  await browser.press("Escape");
  await browser.open("#/queue?order=keeper");
  await browser.waitForCurrent(9);
  await page.locator(".evidence:not(:empty)").waitFor();
  await look("queue");
  const filters = page.locator("aside > details");
  if (await filters.getAttribute("open") === null) await filters.locator("> summary").click();
  await page.locator("#batch").click();
  await page.getByRole("dialog").waitFor();
  await look("batch");
  await browser.press("Escape");
  await browser.open("#/queue?question=999");
  await page.locator(".empty").waitFor();
  await look("empty queue");
  await browser.open("#/dashboard");
  await page.locator(".tile").first().waitFor();
  await look("dashboard");
  await browser.open("#/classes");
  await page.getByRole("button", { name: "2", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await look("classes");
  await browser.press("Escape");
  await browser.open("#/blind");
  await look("samples");
  await browser.open("#/blind?sample=1");
  await page.locator(".sides").waitFor();
  await look("sample");
  await page.route("**/api/**", (route) => route.abort());
  await browser.open("#/dashboard");
  await page.locator(".unloaded").waitFor();
  await look("outage");
  await page.unroute("**/api/**");
  browser.errors.splice(0);
}

const WIDE = { colorScheme: "light", locale: "en-GB" };
const PHONE = { colorScheme: "dark", locale: "zh-CN", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

test("axe finds nothing serious on any page", async () => {
  await made.daemon.ask("samples", { method: "POST", body: '{"size":2}', headers: { "Content-Type": "application/json" } });
  for (const settings of [WIDE, PHONE]) {
    browser = await Browser.start(made.daemon, "ann", settings);
    await tour(browser, async (name) => assert.deepEqual(await findings(browser), [], `${name}, ${settings.colorScheme}`));
    await browser.close();
    browser = undefined;
  }
});

test("axe finds nothing at all in the report", async () => {
  const { state } = made;
  state.qdedup("export", "--format", "html", "-o", state.path("report.html"));
  for (const { colorScheme, locale } of [WIDE, PHONE]) {
    browser = await Browser.start(made.daemon, "ann", { colorScheme, locale });
    await browser.page.goto(pathToFileURL(state.path("report.html")).href);
    await browser.page.locator("#q51").waitFor();
    assert.deepEqual(await findings(browser, true), [], colorScheme);
    await browser.close();
    browser = undefined;
  }
});

test("headings come in order, on each page", async () => {
  await tour(made.browser, async (name) => {
    const levels = await made.browser.page.locator("h1, h2, h3, h4").evaluateAll((all) =>
      all.filter((each) => each.checkVisibility()).map(({ tagName }) => Number(tagName[1])));
    assert.equal(levels[0], 1, name);
    assert.deepEqual(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1), [], name);
  });
});

test("the keyboard alone reaches all that can be pressed", async () => {
  await tour(made.browser, async (name) => {
    const { page } = made.browser;
    const wanted = await page.evaluate(() => {
      const root = document.querySelector("dialog[open]") ?? document.body;
      const all = [...root.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")];
      const reachable = all.filter((each) => each.checkVisibility() && !each.disabled);
      reachable.forEach((each, index) => { each.dataset.stop = index; });
      return reachable.length;
    });
    assert.ok(wanted > 0);
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let presses = 0; presses < 2 * wanted + 8 && reached.size < wanted; presses += 1) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const { stop: at } = document.activeElement.dataset;
        return at === undefined ? null : at;
      });
      if (stop !== null) reached.add(stop);
    }
    const missed = await page.evaluate((stops) => [...document.querySelectorAll("[data-stop]")]
      .filter((each) => !stops.includes(each.dataset.stop)).map((each) => each.outerHTML.slice(0, 90)), [...reached]);
    assert.deepEqual(missed, [], name);
    await page.evaluate(() => document.querySelectorAll("[data-stop]").forEach((each) => delete each.dataset.stop));
  });
});
