// Signing in on the page, and what becomes of decisions when a session ends.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { findings } from "./accessibility.js";
import { Browser } from "./browser.js";
import { LISTS, QUESTIONS } from "./questions.js";
import { review } from "./review.js";

const keys = {};
const made = review((state) => {
  [keys.ann, keys["王老师"]] = state.addReviewers("ann", "王老师");
  state.importQuestions(QUESTIONS);
  state.iterate(LISTS);
});
let other;  // a browser of a test's own
after(() => other?.close());

const dialog = (page) => page.getByRole("dialog");

async function signIn(page, name, key = keys[name]) {
  await page.locator("#sign-in-name").fill(name);
  await page.locator("#sign-in-key").fill(key);
  await page.locator("#sign-in-key").press("Enter");
}

// The page is there for them.
async function signedIn({ page }, name) {
  await page.locator("#reviewer", { hasText: name }).waitFor({ state: "attached" });
  await dialog(page).waitFor({ state: "detached" });
}

// [question, decided_by, given_name] of each with that status.
async function decided(status) {
  const { answer } = await made.daemon.ask(`queue?status=${status}&order=keeper`);
  return answer.groups.flatMap(({ members }) => members.map(({ id, decided_by: by, given_name: name }) => [id, by, name]));
}

function forgetErrors() {
  made.browser.errors.splice(0);  // the console tells of the requests that were refused
}

test("the page asks who is there, and shows nothing before it knows", async () => {
  const { browser } = made;
  await browser.open();
  await dialog(browser.page).getByRole("heading", { name: "Sign in to review" }).waitFor();
  assert.equal(await browser.page.locator("#main").innerText(), "");
  assert.equal(await browser.page.evaluate(() => document.activeElement.id), "sign-in-name");
  await browser.screenshot("sign-in");
  await signIn(browser.page, "ann", keys["王老师"]);
  await browser.page.getByRole("alert").filter({ hasText: "the name or the key is wrong" }).waitFor();
  await browser.press("Escape");
  await browser.press("Escape");
  await dialog(browser.page).waitFor();
  await signIn(browser.page, " ann ", keys.ann.toUpperCase().replaceAll("-", " "));
  await signedIn(browser, "You are ann");
  await browser.waitForCurrent(5);
  const [cookie] = await browser.context.cookies();
  assert.equal(cookie.name, `qdedup-${made.daemon.port}`);
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path, cookie.expires], [true, "Strict", "/", -1]);
  forgetErrors();
});

test("a decision is recorded under the name that signed in", async () => {
  const { browser } = made;
  await browser.press("a");
  await browser.waitUntilSaved();
  assert.deepEqual(await decided("approved"), [["5", "reviewer:ann", "ann"]]);
});

test("who signs out sees nothing any more", async () => {
  const { browser } = made;
  await browser.page.getByRole("button", { name: "Sign out" }).click();
  await dialog(browser.page).waitFor();
  assert.equal(await browser.page.locator("#main").innerText(), "");
  assert.equal((await browser.context.cookies()).length, 0);
  await browser.open();
  await dialog(browser.page).waitFor();
  await signIn(browser.page, "ann");
  await browser.waitForCurrent(9);
  forgetErrors();
});

test("a session that ends during an outage costs no decision", async () => {
  const { browser, daemon, state } = made;
  await daemon.stop();
  await browser.press("x");
  await browser.page.locator("#saving", { hasText: "Offline · decisions waiting: 1" }).waitFor();
  await browser.waitForCurrent(12);
  await browser.page.locator(".current .note-input").fill("not quite");
  await daemon.begin();
  await dialog(browser.page).getByText("Decisions of ann that wait in this browser: 1.").waitFor();
  assert.equal(await browser.page.locator("#sign-in-name").inputValue(), "ann");
  assert.equal(state.status(9), "pending");
  await signIn(browser.page, "ann");
  await signedIn(browser, "ann");
  await browser.waitUntilSaved();
  assert.deepEqual(await decided("rejected"), [["9", "reviewer:ann", "ann"]]);
  assert.equal(await browser.page.locator(".current .note-input").inputValue(), "not quite");
  forgetErrors();
});

// What another window of the reviewer tells when it has sent what waits here.
function tellAsAnotherWindow(page, result) {
  return page.evaluate((told) => new Promise((resolve) => {
    const [key] = Object.keys(localStorage).filter((each) => each.startsWith("qdedup.outbox."));
    new BroadcastChannel("qdedup.outbox.").onmessage = resolve;  // after all that were made before
    new BroadcastChannel("qdedup.outbox.").postMessage({ key, decision: JSON.parse(localStorage.getItem(key)), result: told });
  }), result);
}

test("what one reviewer decided is not sent when another signs in, but when they are back", async () => {
  const { browser, daemon, state } = made;
  await daemon.stop();
  await browser.press("Escape");
  await browser.page.locator(".current").focus();
  await browser.press("a");
  await browser.page.locator("#saving", { hasText: "decisions waiting: 1" }).waitFor();
  await daemon.begin();
  await dialog(browser.page).waitFor();
  await signIn(browser.page, "王老师");
  await signedIn(browser, "王老师");
  await browser.waitForCurrent(21);
  await browser.waitUntilSaved();
  await tellAsAnotherWindow(browser.page, { code: 409, reason: "has another keeper by now", status: "pending" });
  assert.equal(await browser.page.locator("#trouble:visible, .conflict:visible").count(), 0);
  await browser.press("u");
  await browser.page.locator("#announcement", { hasText: "nothing to undo" }).waitFor();
  await browser.press("a");
  await browser.waitUntilSaved();
  assert.equal(state.status(12), "pending");
  assert.deepEqual(await decided("approved"), [["5", "reviewer:ann", "ann"], ["21", "reviewer:王老师", "王老师"]]);
  await browser.page.getByRole("button", { name: "Sign out" }).click();
  await signIn(browser.page, "ann");
  await signedIn(browser, "ann");
  await browser.waitUntilSaved();
  await browser.page.waitForFunction(() => Object.keys(localStorage).every((key) => !key.startsWith("qdedup.outbox.")));
  assert.deepEqual(await decided("approved"),
    [["5", "reviewer:ann", "ann"], ["12", "reviewer:ann", "ann"], ["21", "reviewer:王老师", "王老师"]]);
  forgetErrors();
});

test("a window that another reviewer took over by signing in elsewhere sends nothing under their name", async () => {
  const { browser, daemon, state } = made;
  await browser.open("#/queue?question=31");
  await browser.waitForCurrent(31);
  const second = await browser.context.newPage();
  await second.goto(`${daemon.origin}/#/dashboard`);
  await second.getByRole("button", { name: "Sign out" }).click();
  await signIn(second, "王老师");
  await signedIn({ page: second }, "王老师");
  await browser.press("x");
  await browser.page.locator("#reviewer", { hasText: "王老师" }).waitFor({ state: "attached" });
  await browser.waitForCurrent(31);
  assert.equal(state.status(31), "pending");
  await second.getByRole("button", { name: "Sign out" }).click();
  await signIn(second, "ann");
  await signedIn({ page: second }, "ann");
  await second.locator('#saving[data-unsaved="0"]').waitFor();
  assert.deepEqual((await decided("rejected")).filter(([id]) => id === "31"), [["31", "reviewer:ann", "ann"]]);
  await second.close();
  forgetErrors();
});

test("a reviewer who is removed is asked at the next decision, which is not stored", async () => {
  const { browser, state } = made;
  await browser.open("#/queue?question=41");
  await browser.waitForCurrent(41);
  state.qdedup("reviewer", "remove", "ann");
  await browser.press("a");
  await dialog(browser.page).waitFor();
  await signIn(browser.page, "ann");
  await browser.page.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
  assert.equal(state.status(41), "pending");
  forgetErrors();
});

test("the form is accessible, in both themes and languages, wide and on a phone", async () => {
  for (const [colorScheme, locale, title] of [["light", "en-GB", "Sign in to review"], ["dark", "zh-CN", "登录后审核"]]) {
    for (const size of [{}, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }]) {
      other = await Browser.start(made.daemon, "nobody", { colorScheme, locale, ...size });
      await other.open();
      await dialog(other.page).getByRole("heading", { name: title }).waitFor();
      assert.deepEqual(await findings(other), [], `${colorScheme}, ${Object.keys(size).length > 0 ? "phone" : "wide"}`);
      const { width } = await dialog(other.page).boundingBox();
      assert.ok(width <= other.page.viewportSize().width);
      await other.screenshot(`sign-in-${colorScheme}${Object.keys(size).length > 0 ? "-phone" : ""}`);
      const stops = [];
      for (let presses = 0; presses < 4; presses += 1) {
        stops.push(await other.page.evaluate(() => document.activeElement.id || document.activeElement.textContent));
        await other.press("Tab");
      }
      assert.deepEqual(stops.slice(0, 2), ["sign-in-name", "sign-in-key"]);
      await dialog(other.page).getByRole("button").nth(1).click();
      await dialog(other.page).getByRole("heading", { name: title === "登录后审核" ? "Sign in to review" : "登录后审核" }).waitFor();
      await signIn(other.page, "王老师");
      await signedIn(other, "王老师");
      if (size.isMobile) await other.page.locator("#more").click();
      await other.page.locator("#sign-out").click();
      await dialog(other.page).waitFor();
      await other.close();
      other = undefined;
    }
  }
  forgetErrors();
});
