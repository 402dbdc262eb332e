// The queue: which deletions are loaded, which one is looked at, and what was decided.

import { look } from "./api.js";
import { outcome, UndoStack, wayBack } from "./decisions.js";
import { filterOf, keepPosition, keptPosition, note } from "./place.js";

// The place before all others, in either order.
export const FIRST = "1.0000-0-0";

const PAGE = 60;
const AHEAD = 20;
const NOTE_PAUSE = 300;

const textOf = ({ group, member }) => `${member.risk}-${group.keeper.id}-${member.id}`;

// Ids have up to 19 digits.
function comesBefore(a, b) {
  return a.length !== b.length ? a.length < b.length : a < b;
}

// Risks have four decimals, so that they compare as texts.
function isBehind(item, byRisk, [risk, keeper, question]) {
  if (byRisk && item.member.risk !== risk) return item.member.risk < risk;
  if (item.group.keeper.id !== keeper) return comesBefore(keeper, item.group.keeper.id);
  return !comesBefore(item.member.id, question);
}

// An item is {group, member, waiting, conflict, note}: a member of a keeper's group, how many decisions on it are
// on their way, the answer that refused one, and the note for the next.
export class Queue {
  // `changed()` is called when something is to be shown anew.
  constructor(parameters, outbox, reviewer, signal, changed) {
    this.filter = filterOf(parameters);
    this.at = parameters.at ?? keptPosition(this.filter);
    this.outbox = outbox;
    this.reviewer = reviewer;
    this.signal = signal;
    this.changed = changed;
    this.undo = new UndoStack();
    this.items = [];
    this.current = 0;
    this.next = undefined;
  }

  close() {
    clearTimeout(this.noting);
  }

  get item() {
    return this.items[this.current];
  }

  // Goes on where the reviewer left off, or begins anew where nothing is left behind that.
  async open() {
    const place = (this.at ?? "").split("-");
    if (place.length === 3) {
      await this.load(`${place[0]}-${place[1]}-0`);
      this.current = Math.max(0, await this.findPlace(place));
    }
    if (this.items.length === 0) await this.load("");
    this.notePlace();
  }

  // The first item at the place or behind it, -1 where there is none. A group may be longer than what is loaded at once.
  async findPlace(place) {
    const byRisk = this.filter.order !== "keeper";
    const find = () => this.items.findIndex((item) => isBehind(item, byRisk, place));
    while (find() < 0 && this.next) await this.load(this.next);
    return find();
  }

  async load(after) {
    const answer = await look("queue", { ...this.filter, after, limit: PAGE }, this.signal);
    for (const group of answer.groups) this.addGroup(group);
    this.next = answer.next;
  }

  // A group that goes on from the page before is the same group.
  addGroup({ keeper, members }) {
    const last = this.items.at(-1)?.group;
    const group = last?.keeper.id === keeper.id ? last : { keeper, items: [] };
    for (const member of members) {
      const item = { group, member, waiting: 0, conflict: null };
      this.takeWaiting(item);
      group.items.push(item);
      this.items.push(item);
    }
  }

  // Decisions of before a reload that are still on their way.
  takeWaiting(item) {
    for (const [, decision] of this.outbox.waiting()) {
      if (!this.concerns(item, decision)) continue;
      item.waiting += 1;
      item.member.status = outcome(decision.decision, decision.seen) ?? item.member.status;
    }
  }

  concerns(item, decision) {
    return item.member.id === decision.question && item.member.iteration === decision.iteration;
  }

  find(decision) {
    return this.items.find((item) => this.concerns(item, decision));
  }

  // Done when what is on its way is here.
  loadAhead() {
    if (this.loading) return this.loading;
    if (!this.next || this.items.length - this.current > AHEAD) return Promise.resolve();
    this.loading = this.load(this.next).finally(() => { this.loading = undefined; });
    return this.loading;
  }

  // Answers whether there was anywhere to go.
  async move(step) {
    if (step > 0 && this.current + step >= this.items.length) await this.loadAhead();
    const target = this.current + step;
    if (target < 0 || target >= this.items.length) return false;
    this.goTo(target);
    this.loadAhead().catch(() => {});
    return true;
  }

  goTo(index) {
    this.current = index;
    this.notePlace();
    this.changed();
  }

  goToMember(number) {
    const item = this.item?.group.items[number - 1];
    if (item) this.goTo(this.items.indexOf(item));
  }

  notePlace() {
    if (!this.item) return;
    keepPosition(this.filter, textOf(this.item));
    clearTimeout(this.noting);
    this.noting = setTimeout(() => note("queue", { ...this.filter, at: textOf(this.item) }), NOTE_PAUSE);
  }

  // Answers whether it changes anything.
  decide(decision) {
    const item = this.item;
    const after = item && outcome(decision, item.member.status);
    if (!after || (decision === "approve" && item.member.standing !== "holds")) return false;
    const { id: question, iteration, texts, status: before } = item.member;
    const deletion = { iteration, question, keeper: item.group.keeper.id, texts };
    this.send(item, deletion, decision, before);
    this.undo.push({ ...deletion, before, after });
    return true;
  }

  // The browser may have no room for the decision; then this throws, and the item is as it was.
  send(item, deletion, decision, seen) {
    const note = item?.note ?? "";
    this.outbox.add({ ...deletion, decision, seen, note });
    if (item) {
      item.waiting += 1;
      item.conflict = null;
      item.note = "";
      Object.assign(item.member, { status: outcome(decision, seen), decided_by: this.reviewer, given_name: "", note });
    }
  }

  // Takes the last decision back, and goes to its deletion; answers it, or nothing.
  undoLast() {
    const step = this.undo.pop();
    if (!step) return undefined;
    const item = this.find(step);
    this.sendBack(item, step);
    if (item) this.goTo(this.items.indexOf(item));
    return step;
  }

  // What could not be sent may be taken back later.
  sendBack(item, { before, after, ...deletion }) {
    let seen = after;
    try {
      for (const decision of wayBack(before, after)) {
        this.send(item, deletion, decision, seen);
        seen = outcome(decision, seen);
      }
    } catch (failure) {
      this.undo.push({ ...deletion, before, after: seen });
      throw failure;
    }
  }

  // What the daemon said of a decision.
  take(decision, result) {
    if (result.code !== 200) this.undo.drop(decision.iteration, decision.question);
    const item = this.find(decision);
    if (!item) return;
    item.waiting = Math.max(0, item.waiting - 1);
    if (result.code !== 200) {
      item.conflict = result;
      item.member.decided_by = result.decided_by;
      item.member.given_name = result.given_name;
    }
    if (result.status && (item.waiting === 0 || result.code !== 200)) item.member.status = result.status;
    this.changed();
  }
}
