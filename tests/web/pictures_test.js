// The pictures of the README, from the sample; scripts/pictures puts them into doc/pictures.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { review } from "./review.js";
import { ROOT } from "./state.js";

const EXAMPLES = path.join(ROOT, "examples");
const STYLE = `body { margin: 0; padding: 1rem 1.2rem; background: #16181d; color: #e4e6eb; font: 15px/1.45 "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; }
  pre { margin: 0; font: inherit; } b { color: #7fd1a0; }`;

const told = [];

// What a command says, as one sees it.
function run(state, ...args) {
  const shown = args.map((arg) => String(arg).replace(`${EXAMPLES}/`, "")).join(" ");
  told.push([`$ qdedup ${shown}`, state.qdedup(...args).trimEnd()]);
}

const made = review((state) => {
  run(state, "import", path.join(EXAMPLES, "bank.jsonl"));
  run(state, "run", ...readdirSync(EXAMPLES).filter((name) => name.startsWith("search.log")).map((name) => path.join(EXAMPLES, name)));
  const rows = state.qdedup("export", "--format", "jsonl", "--confidence", "doubtful").trim().split("\n").map((row) => JSON.parse(row));
  const row = rows.find(({ reasons }) => reasons.startsWith("polarity")) ?? rows[0];
  run(state, "explain", row.delete_id, row.keep_id);
});

test("the page", async () => {
  const { browser } = made;
  await browser.page.setViewportSize({ width: 1200, height: 720 });
  await browser.open("#/queue");
  await browser.current().locator(".evidence:not(:empty)").waitFor();
  await browser.screenshot("page");
});

test("the terminal", async () => {
  const { page } = made.browser;
  await page.goto("about:blank");
  await page.setContent(`<style>${STYLE}</style><pre id="told"></pre>`);
  await page.evaluate((commands) => {
    for (const [command, text] of commands) {
      const said = Object.assign(document.createElement("b"), { textContent: command });
      document.getElementById("told").append(said, `\n${text}\n\n`);
    }
  }, told);
  assert.match(await page.locator("#told").textContent(), /Duplicates: \d+ can be deleted/);
  await page.setViewportSize({ width: 1000, height: Math.ceil((await page.locator("#told").boundingBox()).height) + 10 });
  await made.browser.screenshot("terminal");
});
