// What comes while a button is pressed does not take it away.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Browser, holdBack } from "./browser.js";
import { ENGINE } from "./engines.js";
import { review } from "./review.js";

const made = review();
let phone;
after(() => phone?.close());

const named = (browser, name) => browser.current().getByRole("button", { name, exact: true });
const isSaved = (browser, question, status) =>
  browser.page.locator(`.member[data-question="${question}"] .status.${status}`, { hasText: "ann", hasNotText: "saving" }).waitFor();

test("a click outlasts the answer to the decision before", async () => {
  const { browser, state } = made;
  await browser.open();
  const decision = await holdBack(browser.page, "decisions");
  await browser.press("x");
  await browser.waitForCurrent(9);
  await named(browser, "Approve").hover();
  await browser.page.mouse.down();
  await decision.come();
  await browser.page.mouse.up();
  await browser.waitForCurrent(12);
  await isSaved(browser, 5, "rejected");
  await isSaved(browser, 9, "approved");
  assert.deepEqual([5, 9].map((id) => state.status(id)), ["rejected", "approved"]);
});

test("so does a button that the space bar presses", async () => {
  const { browser, state } = made;
  const decision = await holdBack(browser.page, "decisions");
  await browser.press("x");
  await browser.waitForCurrent(21);
  await named(browser, "Approve").focus();
  await browser.page.keyboard.down(" ");
  await decision.come();
  await browser.page.keyboard.up(" ");
  await browser.waitForCurrent(22);
  await isSaved(browser, 21, "approved");
  await browser.waitUntilSaved();
  assert.deepEqual([12, 21].map((id) => state.status(id)), ["rejected", "approved"]);
});

test("a decision that failed while something was pressed is sent again", async () => {
  const { browser, state } = made;
  const { page } = browser;
  await page.route("**/api/review/decisions*", (route) => route.abort(), { times: 1 });
  await page.route("**/api/status*", async (route) => route.fulfill({ response: await route.fetch() }));
  await browser.current().locator("h3").first().hover();
  await page.mouse.down();
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/decisions"));
  const isBack = page.waitForResponse("**/api/status*");
  await page.evaluate(() => document.querySelector(".current .reject").click());
  await failed;
  await (await isBack).finished();
  await page.waitForFunction(() => document.querySelector("#saving").dataset.unsaved === "1");
  await page.mouse.up();
  await browser.waitUntilSaved();
  assert.equal(state.status(22), "rejected");
  await page.unroute("**/api/status*");
  browser.errors.splice(0);
  await browser.press("u");
  await browser.waitForCurrent(22);
  await browser.waitUntilSaved();
  assert.equal(state.status(22), "pending");
});

test("the next key draws what waits, where the release was not heard", async () => {
  const { browser, state } = made;
  const decision = await holdBack(browser.page, "decisions");
  await browser.press("x");
  await browser.waitForCurrent(31);
  await browser.page.keyboard.down("Shift");
  await browser.page.evaluate(() => document.querySelector(".current .approve").dispatchEvent(
    new PointerEvent("pointerdown", { bubbles: true, button: 0, pointerId: 7 })));
  await decision.come();
  assert.equal(await browser.page.locator("#saving").getAttribute("data-unsaved"), "1");
  await browser.page.keyboard.up("Shift");
  await browser.press("k");
  await browser.waitForCurrent(22);
  await isSaved(browser, 22, "rejected");
  await browser.press("j");
  await browser.waitForCurrent(31);
  assert.equal(state.status(22), "rejected");
});

test("a button does not move when the evidence comes", async () => {
  const { browser, state } = made;
  const evidence = await holdBack(browser.page, "evidence?question=41");
  await browser.press("j");
  await browser.waitForCurrent(41);
  await evidence.asked();
  const shown = browser.current().locator(".evidence");
  const place = () => browser.current().evaluate((card) =>
    card.querySelector(".approve").getBoundingClientRect().y - card.getBoundingClientRect().y);
  const before = await place();
  await named(browser, "Reject").hover();
  await browser.page.mouse.down();
  await evidence.come();
  assert.equal(await shown.textContent(), "");
  await browser.current().locator("h3").first().hover();
  await browser.page.mouse.up();
  await browser.current().locator(".evidence:not(:empty)").waitFor();
  const now = await place();
  assert.ok(Math.abs(now - before) < 1, `moved from ${before} to ${now}`);
  assert.equal(state.status(41), "pending");
});

test("a note is written on where it was when an answer comes", async () => {
  const { browser } = made;
  await browser.press("k");
  await browser.waitForCurrent(31);
  const decision = await holdBack(browser.page, "decisions");
  await browser.press("x");
  await browser.waitForCurrent(41);
  await browser.press("n");
  await browser.page.keyboard.type("XY");
  await browser.press("Home");
  await decision.come();
  await browser.waitUntilSaved();
  await browser.page.keyboard.type("abc");
  assert.equal(await browser.current().locator(".note-input").inputValue(), "abcXY");
  await browser.press("Escape");
});

test("what is searched for is written on when the counts come", async () => {
  const { browser, state } = made;
  const facets = await holdBack(browser.page, "facets");
  await browser.press("u");
  await browser.waitForCurrent(31);
  await facets.asked();
  const field = browser.page.getByLabel("Number or words of a question");
  await field.click();
  await browser.page.keyboard.type("bo");
  await facets.come();
  await browser.page.keyboard.type("x a");
  assert.equal(await field.inputValue(), "box a");
  await browser.waitUntilSaved();
  assert.deepEqual([31, 41].map((id) => state.status(id)), ["pending", "pending"]);
  await browser.current().focus();
});

test("a key that is held presses a button once", async () => {
  const { browser, state } = made;
  await browser.press("x");
  await browser.waitForCurrent(41);
  await browser.press("x");
  await browser.page.locator(".done").waitFor();
  await browser.press("k");
  await browser.waitForCurrent(41);
  await named(browser, "Undo").focus();
  await browser.hold("Enter", 3);
  await browser.page.locator('.member[data-question="41"].pending').waitFor();
  await browser.waitUntilSaved();
  assert.deepEqual([31, 41].map((id) => state.status(id)), ["rejected", "pending"]);
  await browser.press("u");
  await browser.waitForCurrent(31);
});

test("a filter is chosen though the counts come anew meanwhile", async () => {
  const { browser } = made;
  const facets = await holdBack(browser.page, "facets");
  await browser.press("a");
  await facets.asked();
  await browser.page.locator('[data-facet="confidence"] button', { hasText: "doubtful" }).hover();
  await browser.page.mouse.down();
  await facets.come();
  await browser.page.mouse.up();
  await browser.page.waitForURL(/confidence=doubtful/);
});

test("a tap outlasts it, too", { skip: ENGINE.name === "firefox" && "its fingers do not tap" }, async () => {
  phone = await Browser.start(made.daemon, "ann", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await phone.open("#/queue?order=keeper&at=start");
  const touch = await ENGINE.finger(phone.page);
  await phone.waitForCurrent(41);
  const decision = await holdBack(phone.page, "decisions");
  await phone.press("x");
  await phone.page.locator(".done").waitFor();
  await phone.press("k");
  await phone.waitForCurrent(41);
  const { x, y } = await named(phone, "Undo").boundingBox();
  await touch("Start", { x: x + 10, y: y + 10 });
  await decision.come();
  await touch("End");
  await phone.page.locator('.member[data-question="41"].pending').waitFor();
  await phone.waitUntilSaved();
  assert.equal(made.state.status(41), "pending");
});
