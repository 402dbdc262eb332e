// Which key does what, in the view that is shown; "?" shows the help in all.

import { showHelp } from "./help.js";

let bindings = {};

// Only these go on and on while they are held; a decision is one press each.
const HELD = ["j", "k", "d", "D"];

// {a: action, "Shift+a": action, " ": action, digit: action(number)}; replaces those of the view before.
export function bindKeys(actions) {
  bindings = { "?": showHelp, ...actions };
}

function isTyping(target) {
  return target.closest?.("input, textarea, select, [contenteditable]") !== null;
}

// Space presses a button or a link that has the focus.
function isPressing(event) {
  return event.key === " " && event.target.closest?.("button, a, summary") !== null;
}

// Letters are told apart by the shift key alone, not by caps lock.
function nameOf({ key, shiftKey }) {
  if (!/^[a-z]$/i.test(key)) return key;
  return `${shiftKey ? "Shift+" : ""}${key.toLowerCase()}`;
}

function onKey(event) {
  if (event.repeat && event.key === "Enter" && event.target.closest?.("button")) event.preventDefault();
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (isTyping(event.target) || isPressing(event) || document.querySelector("dialog[open]")) return;
  const isDigit = /^[1-9]$/.test(event.key);
  const action = isDigit ? bindings.digit : bindings[nameOf(event)];
  if (!action) return;
  event.preventDefault();
  if (event.repeat && !HELD.includes(event.key)) return;
  action(isDigit ? Number(event.key) : undefined);
}

addEventListener("keydown", onKey);
