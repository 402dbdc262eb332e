// Finds pairs that were listed, of every status, by the number of a question or by words of its text.

import { look } from "./api.js";
import { button, make, openDialog } from "./element.js";
import { go, hashOf } from "./place.js";
import { count, wordFor, words } from "./words.js";

const placeOf = ({ id, status, iteration }) => ({ status, question: id, iteration });

// A sole result is opened at once, unless the reviewer went on meanwhile. `signal` is that of the view that asks;
// `isWaiting()` whether the reviewer still looks at what they did when they asked.
export async function search(text, page, signal, isWaiting) {
  const list = make("ol", { class: "found" });
  const result = make("p", { role: "status" });
  const more = button(words("search_on"), () => goOn(), { id: "search-on" });
  let [all, before, dialog] = [0, undefined, null];
  const row = (pair) => make("li", {}, make("a", { href: hashOf("queue", placeOf(pair)), on: { click: () => dialog.close() } },
    `${pair.id} → ${pair.keeper}`), " ", make("b", { class: `status ${pair.status}` }, wordFor("status", pair.status)),
  make("p", { class: "snippet", lang: "zh", dir: "auto" }, pair.text));
  const add = ({ pairs, looked, next }) => {
    all += looked;
    before = next;
    list.append(...pairs.map(row));
    more.hidden = !next;
    result.textContent = words(list.childElementCount > 0 ? "searched" : "found_none", { count: count(all) });
  };
  const goOn = async () => {
    more.disabled = true;
    await look("search", { text, before }).then(add, (failure) => page.fail(failure));
    more.disabled = false;
  };
  try {
    const answer = await look("search", { text }, signal);
    if (document.querySelector("dialog[open]")) return;
    if (answer.pairs.length === 1 && !answer.next && isWaiting()) return go("queue", placeOf(answer.pairs[0]));
    add(answer);
    dialog = openDialog({ class: "search", "aria-labelledby": "search-title" },
      make("h2", { id: "search-title" }, words("search_title", { text })), list, result,
      make("p", { class: "actions" }, more, button(words("close"), () => dialog.close())));
  } catch (failure) {
    page.fail(failure);
  }
}
