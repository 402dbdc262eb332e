// Three weeks on real questions: decisions on the page, in a list and on the command line, and all holds after each.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Browser } from "./browser.js";
import { CONFORMANCE_DATA, skip } from "./conformance_data.js";
import { Daemon } from "./daemon.js";
import { State } from "./state.js";

// The log in three parts of whole lines.
function parts(log) {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const third = Math.ceil(lines.length / 3);
  return [0, 1, 2].map((part) => `${lines.slice(part * third, (part + 1) * third).join("\n")}\n`);
}

// One week: its log is mined by the daemon's tool, an iteration is made, and everything holds.
function week(state, number, log) {
  state.qdedup("mine", state.write(`week${number}.log`, log));
  state.qdedup("iterate");
  state.qdedup("verify");
}

function count(state, filter) {
  return state.qdedup("export", "--format", "jsonl", ...filter).split("\n").filter(Boolean).length;
}

async function decideOnThePage(browser) {
  await browser.open("#/queue?iteration=1");
  await browser.current().waitFor();
  for (const key of ["a", "x", "a", "Space", "x", "a", "u"]) await browser.press(key);
  await browser.waitUntilSaved();
  await browser.page.locator(".total").waitFor();
  await browser.screenshot("dev-data");
  await browser.open("#/queue?iteration=1&confidence=safe&similarity=95-99");
  await browser.current().waitFor();
  await browser.page.locator("#batch").click();
  const title = await browser.page.locator("#batch-title").textContent();
  await browser.page.locator("#typed").fill(title.replace(/\D/g, ""));
  await browser.page.locator("#confirm").click();
  await browser.page.getByRole("dialog").waitFor({ state: "detached" });
  return Number(title.replace(/\D/g, ""));
}

// Fills in the empty column `decision` of an exported CSV: every third row is rejected, the others are approved.
function decideInAList(state) {
  const list = state.qdedup("export", "--iteration", 2, "--status", "pending", "--format", "csv");
  let rows = 0;
  const decided = list.replace(/^((?:[^,"\n]*,){9}pending),,/gm, (whole, begin) => {
    rows += 1;
    return `${begin},${rows % 3 === 0 ? "reject" : "approve"},`;
  });
  state.qdedup("review", "import", state.write("decided.csv", decided), "--by", "bob");
  return rows;
}

test("three weeks with decisions on the page, in a list and on the command line", { skip }, async () => {
  const state = new State();
  state.qdedup("import", path.join(CONFORMANCE_DATA, "bank.jsonl"));
  const daemon = await Daemon.start(state);
  const browser = await Browser.start(daemon);
  try {
    const logs = parts(path.join(CONFORMANCE_DATA, "search.log"));
    week(state, 1, logs[0]);
    const batch = await decideOnThePage(browser);
    state.qdedup("verify");
    assert.equal(count(state, ["--status", "rejected"]), 2);
    assert.ok(count(state, ["--status", "approved"]) >= batch + 2);

    week(state, 2, logs[1]);
    const listed = count(state, ["--iteration", 2, "--status", "pending"]);
    assert.equal(decideInAList(state), listed);
    assert.equal(count(state, ["--iteration", 2, "--status", "rejected"]), Math.floor(listed / 3));
    state.qdedup("verify");

    week(state, 3, logs[2]);
    state.qdedup("review", "approve", "--iteration", 3, "--confidence", "safe");
    state.qdedup("review", "reject", "--iteration", 3, "--reason", "negation");
    state.qdedup("verify");
    state.qdedup("export", "--status", "approved", "-o", state.path("approved.csv"));
    state.qdedup("verify");

    const { answer } = await daemon.ask("dashboard");
    assert.equal(answer.iterations.length, 3);
    await browser.open("#/dashboard");
    await browser.screenshot("dev-data-dashboard");
    assert.deepEqual(browser.errors, []);
  } finally {
    await browser.close();
    await daemon.stop();
    state.remove();
  }
});
