// What the keys and the colours mean.

import { button, make, openDialog } from "./element.js";
import { words } from "./words.js";

const KEYS = [
  ["a", "key_a"], ["x", "key_x"], ["space", "key_space"], ["u", "key_u"],
  ["⇧ a", "key_shift_a"], ["⇧ x", "key_shift_x"],
  ["j", "key_j"], ["k", "key_k"], ["1–9", "key_digits"], ["d", "key_d"], ["⇧ d", "key_shift_d"], ["n", "key_n"], ["?", "key_question"],
];
const MARKS = ["differs", "faint"];

function keyList() {
  return make("dl", { class: "keys" },
    KEYS.map(([key, meaning]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words(meaning))]));
}

function legend() {
  return make("ul", { class: "legend" },
    MARKS.map((mark) => make("li", {}, make("span", { class: `mark ${mark}` }, words(`mark_${mark}`)))));
}

export function showHelp() {
  const dialog = openDialog({ class: "help", "aria-label": words("help") },
    make("h2", {}, words("keys")), keyList(),
    make("h2", {}, words("legend")), legend(),
    button(words("close"), () => dialog.close()));
}
