// Where the reviewer is: "#/queue?confidence=safe&at=123-2-9". The hash can be kept, shared and gone back to.

import { queryOf } from "./api.js";

const FILTERS = ["status", "iteration", "confidence", "risk", "reason", "similarity", "question", "order"];

const KEPT = "qdedup.queue-place.";

// The address that is shown. From a step to its "hashchange", the location is another one.
let shown;

// Where the location leads, which is shown from now on.
export function arrive() {
  shown = location.hash;
  const hash = location.hash.startsWith("#/") ? location.hash.slice(2) : "";
  const [view, query = ""] = hash.split("?", 2);
  return { view: view || "queue", parameters: Object.fromEntries(new URLSearchParams(query)) };
}

export function hashOf(view, parameters = {}) {
  return `#/${view}${queryOf(parameters)}`;
}

// Goes there as a step of its own, which "back" undoes; anew, where the address says so already.
export function go(view, parameters = {}) {
  const hash = hashOf(view, parameters);
  if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = hash;
}

// Notes where one is, without a step of its own; not over a step that was just taken.
export function note(view, parameters = {}) {
  if (location.hash !== shown) return;
  history.replaceState(null, "", hashOf(view, parameters));
  shown = location.hash;
}

export function filterOf(parameters) {
  return Object.fromEntries(FILTERS.filter((name) => parameters[name]).map((name) => [name, parameters[name]]));
}

function keyOf(filter) {
  return KEPT + hashOf("queue", filter);
}

// How far the reviewer got with a filter.
export function keptPosition(filter) {
  return localStorage.getItem(keyOf(filter));
}

// The place is lost where the browser has no room for it.
export function keepPosition(filter, at) {
  try {
    localStorage.setItem(keyOf(filter), at);
  } catch (failure) {
    console.warn(failure);
  }
}
