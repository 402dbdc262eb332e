// The page on a phone, by finger.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Browser } from "./browser.js";
import { ENGINE } from "./engines.js";
import { review } from "./review.js";

const made = review();
let phone;
let touch;
after(() => phone?.close());

const box = (locator) => locator.evaluate((each) => each.getBoundingClientRect().toJSON());

// Draws the finger over the text, by so many pixels, and lets it rest at the end: the browser takes a tap right after a fling for its
// end.
async function swipe(by, end = "End") {
  const text = phone.going().locator(".text").first();
  await text.hover({ trial: true });  // until nothing scrolls any more
  const { x, y, width } = await box(text);
  const from = x + width / 2 - by / 2;
  const begun = Date.now() / 1000 - 1;
  const at = (share) => ({ x: from + share * by, y: y + 8 });
  await touch("Start", at(0), begun);
  for (const share of [0.2, 0.5, 1]) await touch("Move", at(share), begun + share / 4);
  if (end) await touch(end, undefined, begun + 1);
}

// A browser that is busy for too long takes a touch back (pointercancel), so it is made again then.
async function swipeTo(question, by) {
  for (let tries = 0; tries < 20; ++tries) {
    await swipe(by);
    await phone.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    if (await phone.current().getAttribute("data-question") === String(question)) return;
  }
  assert.fail(`no swipe led to ${question}`);
}

test("the header is one row, and what is rare is in a menu", async () => {
  phone = await Browser.start(made.daemon, "ann", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  touch = await ENGINE.finger(phone.page);
  await phone.open();
  await phone.waitForCurrent(5);
  assert.ok((await box(phone.page.locator("body > header"))).height <= 52);
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok(await phone.page.locator("nav").evaluate((nav) => nav.scrollWidth <= nav.clientWidth), "all views are in sight");
  assert.ok(!(await phone.page.locator("#language").isVisible()));
  await ENGINE.tap(phone.page.locator("#more"));
  await ENGINE.tap(phone.page.locator("#language"));
  await phone.page.getByText("待审队列").waitFor();
  await ENGINE.tap(phone.page.locator("#language"));
  await phone.page.keyboard.press("Escape");
  await phone.page.getByRole("link", { name: "Queue" }).waitFor();
  assert.ok((await box(phone.page.locator("body > header"))).height <= 52);
  await phone.screenshot("phone");
});

test("the buttons are large, apart, and always in sight", async () => {
  await phone.waitForCurrent(5);
  await phone.current().locator(".evidence:not(:empty)").waitFor();
  const boxes = await phone.current().locator(".actions button").evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().toJSON()));
  const [approve, reject] = boxes;
  for (const { width, height, top, bottom } of boxes) {
    assert.ok(width >= 44 && height >= 44 && top > 0 && bottom <= 844, `${width} × ${height}, ${top} to ${bottom}`);
  }
  assert.equal(approve.top, reject.top);
  assert.ok(reject.left - approve.right >= 16);
});

test("a swipe to the right approves, to the left rejects, and a button takes it back", async () => {
  await swipeTo(9, 250);
  await swipeTo(12, -250);
  await phone.waitUntilSaved();
  assert.deepEqual([made.state.status(5), made.state.status(9)], ["approved", "rejected"]);
  for (const question of [9, 5]) {
    await ENGINE.tap(phone.current().getByRole("button", { name: "Undo" }));
    await phone.waitForCurrent(question);
  }
  await phone.waitUntilSaved();
  assert.deepEqual([made.state.status(5), made.state.status(9)], ["pending", "pending"]);
});

test("a short swipe, or one that the browser takes, decides nothing", async () => {
  await swipe(60);
  await swipe(250, "Cancel");
  await swipe(250, null);
  await phone.page.locator(".current.to-approve").waitFor();
  await phone.screenshot("phone-swipe");
  await touch("Cancel");
  await phone.page.locator(".current:not(.to-approve)").waitFor();
  assert.equal(await phone.current().evaluate((each) => each.style.transform), "");
  assert.equal(await phone.current().getAttribute("data-question"), "5");
  assert.equal(await phone.page.locator("#saving").getAttribute("data-unsaved"), "0");
  assert.equal(made.state.status(5), "pending");
});

test("tables are cards, each value with its title", async () => {
  await phone.open("#/dashboard");
  const card = phone.page.getByRole("region", { name: "Iterations" }).getByRole("row").last();
  const [width, cells] = await card.evaluate((row) => [row.getBoundingClientRect().width,
    [...row.children].map((cell) => [cell.dataset.title, getComputedStyle(cell, "::before").content, cell.getBoundingClientRect().width])]);
  assert.deepEqual(cells.slice(0, 2).map(([title]) => title), ["Iteration", "Finished (Asia/Shanghai)"]);
  for (const [title, content, cell] of cells) {
    assert.ok([`"${title}"`, "attr(data-title)"].includes(content), content);  // as Chromium says it, and Firefox
    assert.ok(cell <= width);
  }
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  for (const each of await phone.page.locator(".scroll").all()) {
    assert.equal(await each.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
  }
  await phone.page.getByRole("cell", { name: "4" }).first().waitFor();
  await phone.screenshot("phone-dashboard");
  assert.deepEqual(phone.errors, []);
});
