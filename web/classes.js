// The classes of questions that passed the test with each other, and who is in one.

import { look } from "./api.js";
import { button, make, openDialog, table } from "./element.js";
import { hashOf, note } from "./place.js";
import { count, wordFor, words } from "./words.js";

const ORDERS = ["representative", "largest", "smallest"];
const PAGE = 40;

const passage = (tag, text) => make(tag, { class: "passage", lang: "zh", dir: "auto" }, text ?? words("not_in_bank"));

function memberRow({ id, compared_with: other, similarity, status, iteration, text }, close) {
  const listed = iteration !== null;
  const name = listed ? make("a", { href: hashOf("queue", { status, question: id, iteration }), on: { click: close } }, id) : id;
  return make("li", {}, name, ` ${words("compared_with", { id: other, similarity })} `,
    make("b", { class: `status ${status}` }, wordFor("status", status)), passage("p", text));
}

export class ClassesView {
  constructor(page, { sort = "largest" }, root, signal) {
    this.page = page;
    this.root = root;
    this.signal = signal;
    this.sort = ORDERS.includes(sort) ? sort : "largest";
    this.shown = [];
  }

  async open() {
    await this.more();
  }

  // What was asked for in another order meanwhile is not shown.
  async more() {
    const { sort } = this;
    const { classes, total } = await look("classes", { sort, offset: this.shown.length, limit: PAGE }, this.signal);
    if (sort !== this.sort) return;
    this.shown.push(...classes);
    if (total === 0) return this.root.replaceChildren(make("p", { class: "empty" }, words("no_classes")));
    if (!this.list) this.showFrame(total);
    const titles = [words("representative"), words("questions"), words("text")];
    this.list.replaceChildren(table(words("view_classes"), titles, this.shown.map((each) => this.row(each))));
    this.rest.hidden = this.shown.length >= total;
    this.rest.disabled = false;
  }

  tryMore() {
    this.rest.disabled = true;
    this.more().catch((failure) => {
      this.rest.disabled = false;
      this.page.fail(failure);
    });
  }

  showFrame(total) {
    this.list = make("div");
    this.rest = button(words("more_classes"), () => this.tryMore(), { id: "more-classes" });
    this.root.replaceChildren(make("section", { class: "part" }, make("h2", {}, words("classes_count", { count: count(total) })),
      this.orderChoice(), this.list, this.rest));
  }

  orderChoice() {
    const choose = ({ target }) => {
      this.sort = target.value;
      this.shown = [];
      note("classes", { sort: this.sort });
      this.tryMore();
    };
    return make("label", {}, words("order"), " ", make("select", { id: "class-order", on: { change: choose } },
      ORDERS.map((name) => make("option", { value: name, selected: name === this.sort }, words(`classes_${name}`)))));
  }

  row({ representative, questions, text }) {
    const open = () => this.openClass(representative).catch((failure) => this.page.fail(failure));
    return [make("th", { scope: "row" }, button(representative, open, { class: "plain" })),
      make("td", { class: "number" }, count(questions)), make("td", {}, passage("span", text))];
  }

  // Its first page, and the next ones when they are asked for.
  async openClass(representative) {
    let dialog = null;
    let last = 0;
    const list = make("ol", { class: "found" });
    const more = async () => {
      const { members, total } = await look("class", { representative, after: last }, this.signal);
      last = members.at(-1)?.id ?? last;
      list.append(...members.map((each) => memberRow(each, () => dialog.close())));
      const left = total - list.childElementCount;
      rest.hidden = left <= 0 || members.length === 0;
      rest.textContent = words("more", { count: count(left) });
    };
    const goOn = async () => {
      rest.disabled = true;
      await more().catch((failure) => this.page.fail(failure));
      rest.disabled = false;
    };
    const rest = button("", goOn, { id: "more-members" });
    await more();
    if (document.querySelector("dialog[open]")) return;
    dialog = openDialog({ class: "search", "aria-labelledby": "class-title" },
      make("h2", { id: "class-title" }, words("class_of", { id: representative })), list,
      make("p", { class: "actions" }, rest, button(words("close"), () => dialog.close())));
  }
}
