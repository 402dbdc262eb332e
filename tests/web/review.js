// What most tests begin with: a state with pairs to review, a daemon, and a browser.

import { after, afterEach, before } from "node:test";
import assert from "node:assert/strict";
import { Browser } from "./browser.js";
import { Daemon } from "./daemon.js";
import { State } from "./state.js";
import { LISTS, QUESTIONS } from "./questions.js";

// {state, daemon, browser}, filled in before the first test. `prepare(state)` fills the state. After each test
// the page must not have reported an error.
export function review(prepare = (state) => {
  state.importQuestions(QUESTIONS);
  state.iterate(LISTS);
}) {
  const made = {};
  before(async () => {
    made.state = new State();
    await prepare(made.state);
    made.daemon = await Daemon.start(made.state);
    made.browser = await Browser.start(made.daemon);
  });
  afterEach(() => assert.deepEqual(made.browser.errors.splice(0), []));
  after(async () => {
    await made.browser?.close();
    await made.daemon?.stop();
    made.state?.remove();
  });
  return made;
}
