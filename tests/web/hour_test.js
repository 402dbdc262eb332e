// A reviewers' hour: two people decide on 2,000 pending pairs as fast as keys come, over networks that lose requests and answers, while
// the daemon is killed and started again. Each decision is stored once, by whom it was made, and at each quiet moment the page says
// what is so. HOUR_SEED=N and HOUR_ROUNDS=M make another hour; with QDEDUP_FULL=1 it is twice as long.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { after, before, test } from "node:test";
import { Daemon } from "./daemon.js";
import { PATIENCE } from "./engines.js";
import { randomStream } from "./network.js";
import { Person } from "./person.js";
import { QDEDUP, State } from "./state.js";

const SEED = Number(process.env.HOUR_SEED ?? 1);
const ROUNDS = Number(process.env.HOUR_ROUNDS ?? (process.env.QDEDUP_FULL === "1" ? 8 : 4));
const ACTIONS = 45;  // of each person in a round
const PAIRS = 2000;
const QUESTIONS = 61_000;  // hold a few more duplicates than that
const OUTCOMES = { approve: { pending: "approved" }, reject: { pending: "rejected", approved: "rejected" },
  reset: { approved: "pending", rejected: "pending" } };
const FAULTS = ["lose request", "lose answer", "cut answer", "bad gateway", "gateway timeout", "delay"];
// How often a request fails in a round.
const MODES = [0, 0.02, 0.1, 0.3, 1];

// What the generator of the benchmarks plants; what is more than 2,000 is rejected beforehand.
function fill(state) {
  const week = state.path("week");
  execFileSync(path.join(path.dirname(QDEDUP), "make_week"), [week, "--questions", QUESTIONS, "--lines", 0, "--logs", 1, "--seed", SEED]
    .map(String));
  state.qdedup("import", path.join(week, "bank.jsonl"));
  state.qdedup("sweep");
  const all = state.list();
  assert.ok(all.length > PAIRS, `${all.length} pairs`);
  for (const [question, keeper] of all.slice(PAIRS)) state.qdedup("review", "reject", question, keeper, "--by", "nobody");
}

// As the state has them, read behind the daemon's back.
function rowsOf(query) {
  const answer = execFileSync("sqlite3", ["-readonly", "-json", path.join(state.state, "qdedup.db"), query],
    { encoding: "utf8", maxBuffer: 1 << 28 });
  return answer === "" ? [] : JSON.parse(answer);
}

const random = randomStream(SEED);
const state = new State();
const people = ["ann", "bob"].map((name, index) => new Person(name, randomStream(1000 * SEED + index)));
let daemon;
let mode = 0;
let untilKilled = Infinity;  // requests
let restarted = Promise.resolve();
let kills = 0;

// Some requests fail, and the daemon is killed with one under way.
function fault(method, asked) {
  if (!asked.startsWith("/api/")) return undefined;
  untilKilled -= 1;
  if (untilKilled === 0) {
    daemon.process.kill("SIGKILL");
    kills += 1;
    const pause = 1000 * random();
    restarted = daemon.ended.then(() => new Promise((resolve) => setTimeout(resolve, pause))).then(() => daemon.begin());
  }
  return random() < mode ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
}

before(async () => {
  fill(state);
  daemon = await Daemon.start(state);
  for (const person of people) await person.start(daemon, fault);
});
after(async () => {
  for (const person of people) await person.stop();
  await daemon?.stop();
  state.remove();
});

// All that became of a pair, for one who looks for a defect.
function historyOf({ id, question }) {
  const lines = rowsOf(`SELECT * FROM decision WHERE deletion_id = ${id} ORDER BY id`).map((row) =>
    `stored: ${row.given_name} ${row.old_status} -> ${row.new_status}, ${row.key}`);
  for (const { name, made, answers } of people) {
    for (const each of made.filter((one) => one.question === question)) {
      lines.push(`${name}: ${each.decision}, seen as ${each.seen}, ${each.key}: answers ${answers.get(each.key)}`);
    }
  }
  return lines.join("\n");
}

// Was it never sent, as the one before it on the pair, which it follows on, is not stored either?
function isOnTopOfRefused({ person, question, key, seen }, notStored) {
  const before = person.made.filter((one) => one.question === question && one.key < key).sort((a, b) => (a.key < b.key ? -1 : 1)).at(-1);
  return !person.answers.has(key) && before !== undefined && notStored.has(before.key) && OUTCOMES[before.decision][before.seen] === seen;
}

// Plays the audit through by a simple model, and holds it against what people did: {pairs, with the status of each; own: how many each
// person decided one by one and did not take back}.
function played() {
  const pairs = new Map(rowsOf("SELECT id, question_id AS question, keep_id AS keeper, status FROM deletion")
    .map((row) => [row.id, { ...row, question: String(row.question), now: "pending" }]));
  const made = new Map(people.flatMap((person) => person.made.map((decision) => [decision.key, { ...decision, person }])));
  const last = new Map(people.map(({ name }) => [name, new Map()]));
  const batches = new Map(people.map(({ name }) => [name, 0]));
  for (const row of rowsOf("SELECT * FROM decision ORDER BY id")) {
    const pair = pairs.get(row.deletion_id);
    assert.equal(row.old_status, pair.now, `decision ${row.id} follows on another one`);
    Object.assign(pair, { now: row.new_status, by: row.given_name });
    if (!last.has(row.given_name)) continue;  // of before
    if (row.one_by_one === 0) {
      batches.set(row.given_name, batches.get(row.given_name) + 1);
      continue;
    }
    last.get(row.given_name).set(row.deletion_id, row.new_status);
    const decision = made.get(row.key);
    assert.ok(decision, `nobody decided what is stored, or it is stored twice:\n${historyOf(pair)}`);
    assert.deepEqual([row.given_name, pair.question, row.old_status, row.new_status],
      [decision.person.name, decision.question, decision.seen, OUTCOMES[decision.decision][decision.seen]]);
    // A refusal that the page was left before it heard is asked about again, when the pair may be as it was seen.
    assert.match(`${decision.person.answers.get(row.key)}`, /^(409,)*200(,200)*$/, historyOf(pair));
    made.delete(row.key);
  }
  for (const [key, decision] of made) {  // these are not stored
    const { person, question } = decision;
    if (isOnTopOfRefused(decision, made)) continue;
    assert.deepEqual(new Set(person.answers.get(key)), new Set([409]), historyOf([...pairs.values()].find((pair) => pair.question === question)));
  }
  for (const { question, status, now } of pairs.values()) assert.equal(status, now, question);
  for (const { name, batches: { asked, told } } of people) {
    const stored = batches.get(name);  // more than was told, where the daemon was killed before it could
    assert.ok(told <= stored && stored <= asked, `${name} approved at once: told ${told}, stored ${stored}, asked for ${asked}`);
  }
  const own = new Map([...last].map(([name, statuses]) => [name, [...statuses.values()].filter((each) => each !== "pending").length]));
  return { pairs: [...pairs.values()], own };
}

// Waits until the page has come to rest.
async function quiet({ page }) {
  const end = Date.now() + PATIENCE;
  const isDone = () => page.evaluate(() => {
    const retry = document.querySelector("#retry");
    if (retry.checkVisibility()) retry.click();
    const saving = document.querySelector("#saving");
    return saving.dataset.unsaved === "0" && !saving.classList.contains("failing") && document.querySelector("#retrying").hidden;
  });
  while (!(await isDone())) {
    assert.ok(Date.now() < end, await page.evaluate(() => document.body.innerText));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// What the page shows is so. What somebody else did since it was loaded it need not know.
async function checkPage(person, { pairs, own }) {
  const { page, browser, name } = person;
  await page.locator("#saving", { hasText: "Connected · all saved" }).waitFor();
  const cards = await page.locator(".member").evaluateAll((all) => all.map((each) => ({
    question: each.dataset.question, status: each.classList[1], text: each.querySelector(".status").textContent })));
  for (const { question, status, text: said } of cards) {
    assert.doesNotMatch(said, /saving/, question);
    const pair = pairs.find((each) => each.question === question);
    assert.ok(status === pair.now || pair.by !== name, `${name} sees ${question} ${status}, which is ${pair.now} by ${pair.by}: ${said}`);
  }
  await browser.open("#/queue?order=keeper&at=start");
  const pending = pairs.filter(({ now }) => now === "pending");
  const count = (number) => number.toLocaleString("en-GB");
  await page.locator(".total", { hasText: new RegExp(`^${count(pending.length)} `) }).waitFor();
  const first = pending.sort((a, b) => a.keeper - b.keeper || Number(a.question) - Number(b.question))[0];
  await browser.waitForCurrent(first.question);
  await page.locator(".progress p", { hasText: new RegExp(`^1 of ${count(pending.length)} .*last hour ${count(own.get(name))}$`) }).waitFor();
}

test(`two people, outages and conflicts, seed ${SEED}`, async () => {
  const questions = state.list().map(([question]) => question);
  for (let round = 0; round < ROUNDS; round += 1) {
    mode = MODES[Math.floor(random() * MODES.length)];
    untilKilled = random() < 0.5 ? 1 + Math.floor(60 * random()) : Infinity;
    await Promise.all(people.map(async (person) => {
      for (let action = 0; action < ACTIONS; action += 1) await person.act(questions);
    }));
    mode = 0;
    untilKilled = Infinity;
    await restarted;
    for (const person of people) await quiet(person);
    for (const person of people) await person.press("");  // whatever a group's key did meanwhile
    const truth = played();
    for (const person of people) await checkPage(person, truth);
  }
  state.qdedup("verify");
  const refused = ({ answers }) => [...answers.values()].filter((codes) => codes.includes(409)).length;
  for (const person of people) {
    console.log(`${person.name}: ${person.made.length} decisions, ${refused(person)} refused, ${person.batches.told} approved at once, `
      + `${person.lost} answers lost`);
  }
  console.log(`the daemon was killed ${kills} times`);
  assert.ok(people.every((person) => person.made.length > 0));
});
