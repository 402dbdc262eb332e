// Somebody who reviews at machine speed, and what they did and were told.

import assert from "node:assert/strict";
import { Browser } from "./browser.js";
import { Network } from "./network.js";

const LARGEST_BATCH = 100;
const QUEUE = "#/queue?order=keeper";

// Notes in the page which decisions it keeps for the daemon, also through reloads.
function noteKept() {
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    setItem.call(this, key, value);
    const prefix = "qdedup.outbox.";
    if (!key.startsWith(prefix)) return;
    const kept = JSON.parse(sessionStorage.getItem("kept") ?? "[]");
    setItem.call(sessionStorage, "kept", JSON.stringify([...kept, { ...JSON.parse(value), key: key.slice(prefix.length) }]));
  };
}

// Presses a key, and answers what the page showed then, and which decisions it had kept by then and kept at once.
function pressInPage([key, shiftKey]) {
  const kept = () => {
    const all = JSON.parse(sessionStorage.getItem("kept") ?? "[]");
    sessionStorage.removeItem("kept");
    return all;
  };
  const before = kept();
  const card = document.querySelector(".member.current");
  const can = (name) => Boolean(card?.querySelector(`.actions .${name}:not(:disabled)`));
  const shown = { question: card?.dataset.question, status: card?.classList[1], approve: can("approve"), reject: can("reject"),
    isDialog: Boolean(document.querySelector("dialog[open]")) };
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
  return { before, shown, now: kept() };
}

export class Person {
  constructor(name, random) {
    Object.assign(this, { name, random, made: [], answers: new Map(), batches: { asked: 0, told: 0 }, lost: 0, visits: 0 });
  }

  // `fault` is that of a Network.
  async start(daemon, fault) {
    this.network = await Network.start(daemon, { fault, onAnswer: (exchange) => this.hear(exchange) });
    this.browser = await Browser.start(this.network, this.name);
    await this.browser.context.addInitScript(noteKept);
    await this.browser.open();
  }

  async stop() {
    await this.browser?.close();
    this.network?.stop();
  }

  get page() {
    return this.browser.page;
  }

  choose(values) {
    return values[Math.floor(this.random() * values.length)];
  }

  // What the daemon answered to decisions, and how many it approved at once.
  hear({ path, sent, status, answer, isWhole }) {
    if (status !== 200 || sent.length === 0) return;
    if (!isWhole) this.lost += 1;
    if (path.endsWith("/batch")) this.batches.told += JSON.parse(answer).approved;
    if (!path.endsWith("/decisions") || !isWhole) return;
    const { results } = JSON.parse(answer);
    JSON.parse(sent).decisions.forEach(({ key }, index) => {
      this.answers.set(key, [...this.answers.get(key) ?? [], results[index].code]);
    });
  }

  // What a key for the shown pair decides is known before: approve and reject keep one decision each, or none.
  async press(key, shiftKey = false) {
    const { before, shown, now } = await this.page.evaluate(pressInPage, [key, shiftKey]);
    this.made.push(...before, ...now);
    this.isElsewhere = shown.question === undefined;
    const decision = { a: "approve", x: "reject" }[key];
    if (!decision) return;
    const expected = shown[decision] && !shown.isDialog ? [[shown.question, decision, shown.status]] : [];
    assert.deepEqual(now.map((each) => [each.question, each.decision, each.seen]), expected, `${this.name} pressed ${key}`);
  }

  // To another view, and until it is there, or could not be loaded.
  async go(hash) {
    await this.page.evaluate((to) => {
      document.querySelector("#main > div").replaceChildren();
      location.hash = to;
    }, `${hash}${hash.includes("?") ? "&" : "?"}visit=${this.visits += 1}`);
    await this.loaded();
  }

  loaded() {
    return this.page.locator("#main > div > :is(div, section, .empty)").first().waitFor();
  }

  async search(question) {
    await this.page.evaluate((text) => {
      const field = document.querySelector("#search");
      if (!field) return;
      field.value = text;
      document.querySelector("#find").click();
    }, question);
  }

  // Tries until the page and all of its scripts come: they do not while the daemon is down.
  async reload() {
    do {
      await this.page.goto(`${this.network.origin}/${QUEUE}`).catch(() => {});
      await this.page.reload().catch(() => {});
    } while (await this.page.locator("#help:not(:empty)").count() === 0);
    await this.loaded();
  }

  // Approves all of a filter, if these are few; whether that was done or not, nothing of the dialog is left.
  async batch() {
    const percent = 80 + Math.floor(this.random() * 21);
    await this.go(`#/queue?similarity=${percent}-${percent}&confidence=${this.choose(["safe", "doubtful"])}`);
    const isThere = (selector) => this.page.locator(selector).first().waitFor({ state: "attached" });
    const isOpening = await this.page.evaluate(() => {
      const open = document.querySelector("#batch");
      open?.click();
      return open !== null;
    });
    if (isOpening) {
      await isThere("dialog, #announcement:not(:empty)");
      const sent = await this.page.evaluate((largest) => {
        const input = document.querySelector("#typed");
        const count = document.querySelector("#batch-title")?.textContent.replace(/\D/g, "");
        if (!input || Number(count) > largest) return 0;
        input.value = count;
        input.dispatchEvent(new Event("input"));
        document.querySelector("#confirm").click();
        return Number(count);
      }, LARGEST_BATCH);
      this.batches.asked += sent;
      if (sent > 0) await isThere("dialog .result:not(:empty), body:not(:has(dialog))");
      await this.page.evaluate(() => document.querySelector("dialog")?.close());
    }
    await this.go(QUEUE);
  }

  // One thing that a reviewer does; `questions` are those that are listed.
  async act(questions) {
    if (this.isElsewhere && this.random() < 0.3) return this.go(`${QUEUE}&at=start`);
    const dice = this.random() * 100;
    if (dice < 34) return this.press("a");
    if (dice < 56) return this.press("x");
    if (dice < 66) return this.press(this.choose(["j", " ", "d"]));
    if (dice < 72) return this.press("k");
    if (dice < 82) return this.press("u");
    if (dice < 86) return this.press(this.choose(["A", "X"]), true);
    if (dice < 88) return this.press(this.choose(["1", "2", "3"]));
    if (dice < 90) return this.search(this.choose(questions));
    if (dice < 92) return this.go(this.choose(["#/dashboard", "#/classes", "#/blind", "#/queue?order=risk", "#/queue?status=approved",
      "#/queue?status=rejected&order=keeper"]));
    if (dice < 97) return this.go(`${QUEUE}${this.choose(["", "&at=start"])}`);
    if (dice < 98) return this.batch();
    return this.reload();
  }
}
