// Finds pairs that were listed, of every status, by the number of a question or by words of its text.

import { look } from "./api.js";
import { button, make, openDialog } from "./element.js";
import { go, hashOf } from "./place.js";
import { count, wordFor, words } from "./words.js";

function placeOf({ id, status, iteration }) {
  return { status, question: id, iteration };
}

class SearchDialog {
  constructor(text, page) {
    this.text = text;
    this.page = page;
    this.looked = 0;
    this.list = make("ol", { class: "found" });
    this.result = make("p", { role: "status" });
    this.more = button(words("search_on"), () => this.goOn(), { id: "search-on" });
  }

  // A sole result is opened at once, unless the reviewer went on meanwhile.
  async start(signal, isWaiting) {
    const answer = await look("search", { text: this.text }, signal);
    if (document.querySelector("dialog[open]")) return;
    const { pairs, next } = answer;
    if (pairs.length === 1 && !next && isWaiting()) return go("queue", placeOf(pairs[0]));
    this.add(answer);
    this.open();
  }

  async goOn() {
    this.more.disabled = true;
    try {
      this.add(await look("search", { text: this.text, before: this.next }));
    } catch (failure) {
      this.page.fail(failure);
    }
    this.more.disabled = false;
  }

  add({ pairs, looked, next }) {
    this.looked += looked;
    this.next = next;
    this.list.append(...pairs.map((pair) => this.row(pair)));
    this.more.hidden = !next;
    this.result.textContent = words(this.list.childElementCount > 0 ? "searched" : "found_none", { count: count(this.looked) });
  }

  row(pair) {
    return make("li", {}, make("a", { href: hashOf("queue", placeOf(pair)), on: { click: () => this.dialog.close() } },
      `${pair.id} → ${pair.keeper}`), " ", make("b", { class: `status ${pair.status}` }, wordFor("status", pair.status)),
    make("p", { class: "snippet", lang: "zh", dir: "auto" }, pair.text));
  }

  open() {
    this.dialog = openDialog({ class: "search", "aria-labelledby": "search-title" },
      make("h2", { id: "search-title" }, words("search_title", { text: this.text })), this.list, this.result,
      make("p", { class: "actions" }, this.more, button(words("close"), () => this.dialog.close())));
  }
}

// `signal` is that of the view that asks; `isWaiting()` whether the reviewer still looks at what they did when they asked.
export async function search(text, page, signal, isWaiting) {
  await new SearchDialog(text, page).start(signal, isWaiting).catch((failure) => page.fail(failure));
}
