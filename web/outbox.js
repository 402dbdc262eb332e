// Decisions on their way to the daemon. Each is kept in localStorage from the key press until the daemon has
// answered, so that neither a reload nor a restart of the daemon loses one.

import { change, Unreachable } from "./api.js";
import { whenReleased } from "./press.js";

const KEPT = "qdedup.outbox.";
const MOST_AT_ONCE = 100;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10000;
// The daemon could not read them, and never will. Where a proxy says so, that may change.
const UNREADABLE = [400, 413];

let latest = 0;  // moment of a key

function keptKeys() {
  return Object.keys(localStorage).filter((key) => key.startsWith(KEPT)).sort();
}

// Later than all of before, though the clock is set back.
function newKey() {
  const waiting = parseInt(keptKeys().at(-1)?.slice(KEPT.length), 10) || 0;
  latest = Math.max(latest + 1, waiting + 1, Date.now());
  return `${KEPT}${String(latest).padStart(15, "0")}.${Math.random().toString(36).slice(2)}`;
}

// Does the work unless another window is at it, as all share what waits; returns whether it did. Locks exist only over
// TLS or on localhost.
async function alone(work) {
  if (navigator.locks) return navigator.locks.request(KEPT, { ifAvailable: true }, (lock) => lock !== null && work());
  return work();
}

// `reviewer` sends only what they decided themselves. `onChange(outbox)` is called when something was added,
// answered, or could not be sent; `onResult(decision, result)` for each answer.
export class Outbox {
  constructor(reviewer, { onChange, onResult }) {
    this.reviewer = reviewer;
    this.onChange = onChange;
    this.onResult = onResult;
    this.sending = false;
    this.failing = false;
    this.pause = FIRST_PAUSE;
    this.own = new Set();  // keys of what was decided in this window
    this.windows = new BroadcastChannel(KEPT);
    this.windows.onmessage = ({ data: { key, decision, result } }) => {
      if (this.own.delete(key)) whenReleased(() => this.onResult(decision, result));
    };
  }

  // Once somebody else is at this window, who is not told what another window sends. What is under way is still settled,
  // for the other windows too.
  retire() {
    this.isRetired = true;
    clearTimeout(this.timer);
    this.windows.onmessage = null;
    this.onChange = this.onResult = () => {};
  }

  // Oldest first, as [key, decision].
  waiting() {
    const entries = keptKeys().map((key) => [key, JSON.parse(localStorage.getItem(key))]);
    return entries.filter(([, decision]) => decision.reviewer === this.reviewer);
  }

  size() {
    return this.waiting().length;
  }

  // Throws where localStorage is full or forbidden. Half a character, as a field that is full leaves it, is no text;
  // nor are control characters, as they may be pasted.
  add(decision) {
    const note = (decision.note ?? "").replace(/\p{Surrogate}/gu, "\uFFFD").replace(/\p{Cc}/gu, " ");
    const key = newKey();
    localStorage.setItem(key, JSON.stringify({ ...decision, note, reviewer: this.reviewer }));
    this.own.add(key);
    this.onChange(this);
    this.send();
  }

  // Those that can go in one request: of each deletion the first, so that their order does not matter.
  nextLoad() {
    const load = [];
    const deletions = new Set();
    for (const entry of this.waiting()) {
      const deletion = `${entry[1].iteration} ${entry[1].question}`;
      if (load.length === MOST_AT_ONCE) break;
      if (deletions.has(deletion)) continue;
      deletions.add(deletion);
      load.push(entry);
    }
    return load;
  }

  async send() {
    if (this.sending || this.isRetired) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      const isDone = await alone(() => this.deliverAll());
      this.failing = false;
      this.reason = "";
      this.pause = FIRST_PAUSE;
      // Not at once: that another window has sent something is seen here a moment later. What was added since the last
      // look goes as well.
      if (!isDone || this.size() > 0) this.timer = setTimeout(() => this.send(), isDone ? 0 : this.pause);
    } catch (failure) {
      this.tryLater(failure);
    }
    this.sending = false;
    this.onChange(this);
  }

  async deliverAll() {
    for (let load = this.nextLoad(); load.length > 0; load = this.nextLoad()) await this.deliver(load);
    return true;
  }

  async deliver(load) {
    const decisions = load.map(([key, { iteration, question, keeper, texts, decision, seen, note = "" }]) => ({
      iteration, question, keeper, texts, decision, seen, note, key: key.slice(KEPT.length),
    }));
    try {
      const { results } = await change("decisions", { decisions }, this.reviewer);
      load.forEach((entry, index) => this.settle(entry, results[index]));
    } catch (failure) {
      if (!UNREADABLE.includes(failure.status)) throw failure;
      await this.deliverOneByOne(load, failure);
    }
    this.failing = false;
    this.onChange(this);
  }

  // Finds the one that the daemon cannot read, which is given up with a word to the reviewer, or that a proxy refuses,
  // which must not hold up the others.
  async deliverOneByOne(load, failure) {
    if (load.length === 1) {
      if (!failure.answer.error) throw failure;
      const [[, { seen }]] = load;
      return this.settle(load[0], { code: failure.status, reason: failure.message, status: seen });
    }
    const failures = [];
    for (const entry of load) {
      await this.deliver([entry]).catch((reason) => {
        if (!UNREADABLE.includes(reason.status)) throw reason;
        failures.push(reason);
      });
    }
    if (failures.length > 0) throw failures[0];
  }

  // What was decided on top of a decision that is refused is refused with it: it would undo what somebody else decided.
  settle([key, decision], result) {
    localStorage.removeItem(key);
    this.own.delete(key);
    this.onResult(decision, result);
    this.windows.postMessage({ key, decision, result });
    if (result.code === 200) return;
    const next = this.waiting().find(([, { iteration, question }]) =>
      iteration === decision.iteration && question === decision.question);
    if (next) this.settle(next, result);
  }

  // Where the daemon does not reply, or the reviewer is not signed in, whoever made this sends again when that is over.
  tryLater(failure) {
    const isSignedOut = failure.answer?.sign_in ?? false;
    this.failing = !isSignedOut;
    this.reason = failure.message;
    if (failure instanceof Unreachable || isSignedOut) return;
    this.timer = setTimeout(() => this.send(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }
}
