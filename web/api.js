// Asks the daemon. A reply that is no success becomes a Refusal, no reply Unreachable.

import { whenReleased } from "./press.js";
import { refusalText, words } from "./words.js";

class Refusal extends Error {
  constructor(status, answer) {
    super(refusalText(answer.error ?? `HTTP ${status}`));
    this.status = status;
    this.answer = answer;
  }
}

export class Unreachable extends Error {
  constructor() {
    super(words("unreachable"));
  }
}

// With these a proxy says that the daemon does not reply; some do with the last, which is the daemon's own if it tells why. With
// Retry-After the daemon itself says that it is stopping: that counts as no reply.
const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;
const UNAVAILABLE = 503;

let lost = () => {};

// `listener()` is called after each request without a reply.
export function onLost(listener) {
  lost = listener;
}

let signedOut = () => {};

// `listener()` is called when a request was refused because nobody is signed in, or somebody else than it was made by.
export function onSignedOut(listener) {
  signedOut = listener;
}

let pending = new AbortController();

// What was asked and has no answer yet never gets one.
export function giveUp() {
  pending.abort();
  pending = new AbortController();
}

async function exchange(path, options) {
  const response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
  const answer = await response.json().catch((failure) => {
    if (response.ok) throw failure;
    return {};
  });
  const isAway = response.status === UNAVAILABLE && (!answer.error || response.headers.has("Retry-After"));
  return { ok: response.ok, status: isAway ? BAD_GATEWAY : response.status, answer };
}

async function ask(path, options) {
  const signal = AbortSignal.any([pending.signal, options.signal].filter(Boolean));
  const { ok, status, answer } = await exchange(path, { ...options, signal }).catch((failure) => {
    if (options.signal?.aborted) throw failure;
    return { ok: false, status: GATEWAY_TIMEOUT };
  });
  if (status === BAD_GATEWAY || status === GATEWAY_TIMEOUT) {
    lost();
    throw new Unreachable();
  }
  if (ok) return answer;
  if (answer.sign_in) signedOut();
  throw new Refusal(status, answer);
}

// An answer may be drawn, so it comes once nothing is pressed. A failure comes at once: when the connection is back, it is known
// what failed.
async function askUndisturbing(path, options) {
  const answer = await ask(path, options);
  await new Promise(whenReleased);
  options.signal?.throwIfAborted();
  return answer;
}

// "?name=value&…", without what is empty.
export function queryOf(parameters) {
  const kept = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}

export function look(name, parameters = {}, signal = undefined) {
  return askUndisturbing(`/api/review/${name}${queryOf(parameters)}`, { signal });
}

function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return askUndisturbing(path, { method: "POST", headers, body: JSON.stringify(body) });
}

// In the name of `reviewer`: refused where somebody else is signed in by now.
export function change(name, body, reviewer) {
  return post(`/api/review/${name}${queryOf({ as: reviewer })}`, body);
}

export function signIn(name, key) {
  return post("/api/session", { name, key });
}

export function signOut() {
  return post("/api/session/end", {});
}

export function daemonStatus(signal = undefined) {
  return ask("/api/status", { signal });
}
