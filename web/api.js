// Asks the daemon. A reply that is no success becomes a Refusal, no reply Unreachable.

import { words } from "./words.js";

export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.error ?? `HTTP ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

export class Unreachable extends Error {
  constructor() {
    super(words("unreachable"));
  }
}

// With these a proxy says that the daemon does not reply.
const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;

let lost = () => {};

// `listener()` is called after each request without a reply.
export function onLost(listener) {
  lost = listener;
}

async function exchange(path, options) {
  const response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
  const answer = await response.json().catch((failure) => {
    if (response.ok) throw failure;
    return {};
  });
  return { ok: response.ok, status: response.status, answer };
}

async function ask(path, options) {
  const { ok, status, answer } = await exchange(path, options).catch((failure) => {
    if (failure.name === "AbortError") throw failure;
    return { ok: false, status: GATEWAY_TIMEOUT };
  });
  if (status === BAD_GATEWAY || status === GATEWAY_TIMEOUT) {
    lost();
    throw new Unreachable();
  }
  if (!ok) throw new Refusal(status, answer);
  return answer;
}

// "?name=value&…", without what is empty.
export function queryOf(parameters) {
  const kept = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}

export function look(name, parameters = {}, signal = undefined) {
  return ask(`/api/review/${name}${queryOf(parameters)}`, { signal });
}

export function change(name, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(`/api/review/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
}

export function daemonStatus(signal = undefined) {
  return ask("/api/status", { signal });
}
