// Asks the daemon. An answer that is no success becomes a Refusal.

export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.error ?? `HTTP ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

async function ask(path, options) {
  const response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
  if (response.ok) return response.json();
  throw new Refusal(response.status, await response.json().catch(() => ({})));
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

export function daemonStatus() {
  return ask("/api/status");
}
