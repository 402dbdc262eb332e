// The queue: which deletions are loaded, which one is looked at, and what was decided.

import { look } from "./api.js";
import { outcome, UndoStack, wayBack } from "./decisions.js";
import { filterOf, keepPosition, keptPosition, note } from "./place.js";

// Instead of a place: the start of the queue.
export const FIRST = "start";

const PAGE = 60;
const AHEAD = 20;
const NOTE_PAUSE = 300;

const deletionOf = (iteration, question) => `${iteration} ${question}`;

// What the daemon says that a deletion is, and who decided so.
function showResult({ member }, { status = member.status, decided_by, given_name }) {
  Object.assign(member, { status, decided_by, given_name });
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
    this.undo = new UndoStack(reviewer);
    this.items = [];
    this.taken = new Map();  // answers to decisions, by deletion, since something is loaded
    this.current = 0;
    this.before = 0;
    this.waitingSteps = 0;  // to what is still loaded
    this.next = undefined;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.noting);
  }

  get item() {
    return this.items[this.current];
  }

  // How many of the queue there are up to what is looked at.
  get position() {
    return this.before + Math.min(this.current + 1, this.items.length);
  }

  get isDone() {
    return this.items.length > 0 && !this.item;
  }

  // Those that are as they were when the queue was opened.
  get skipped() {
    const status = this.filter.status ?? "pending";
    return this.items.filter(({ member }) => member.status === status);
  }

  // Goes on where the reviewer left off, or begins anew where nothing is left after that.
  async open() {
    if (/^-?\d+-\d+-\d+$/.test(this.at)) await this.load({ at: this.at });
    while (this.current >= this.items.length && this.next) {
      await this.loadMore();
      this.signal.throwIfAborted();
    }
    if (!this.item) {
      Object.assign(this, { items: [], current: 0, before: 0 });
      await this.load({});
    }
    this.notePlace();
  }

  // A page that begins with the group of a place says how many come before it, and before the place.
  async load(from, signal = this.signal) {
    this.taken = new Map();
    const answer = await look("queue", { ...this.filter, ...from, limit: PAGE }, signal);
    for (const group of answer.groups) this.addGroup(group);
    this.next = answer.next;
    if ("at" in answer) Object.assign(this, { before: answer.before, current: answer.at });
  }

  // A group that goes on from the page before is the same group, unless the bank has another text of its keeper since.
  addGroup({ keeper, members }) {
    const last = this.items.at(-1)?.group;
    const group = last && JSON.stringify(last.keeper) === JSON.stringify(keeper) ? last : { keeper, items: [] };
    for (const member of members) {
      const item = { group, member, waiting: 0, conflict: null };
      this.takeWaiting(item);
      group.items.push(item);
      this.items.push(item);
    }
  }

  // Decisions of before a reload that are still on their way, or were answered while the page was.
  takeWaiting(item) {
    for (const [, decision] of this.outbox.waiting()) {
      if (!this.concerns(item, decision)) continue;
      item.waiting += 1;
      item.member.status = outcome(decision.decision, decision.seen) ?? item.member.status;
    }
    const result = this.taken.get(deletionOf(item.member.iteration, item.member.id));
    if (result && item.waiting === 0) showResult(item, result);
  }

  concerns(item, decision) {
    return item.member.id === decision.question && item.member.iteration === decision.iteration;
  }

  find(decision) {
    return this.items.find((item) => this.concerns(item, decision));
  }

  // Done when what is on its way is here. Goes on though the view is left, as the decision on a group may wait for it.
  loadMore() {
    this.loading ??= this.load({ after: this.next }, null).finally(() => { this.loading = undefined; });
    return this.loading;
  }

  async loadAhead() {
    if (this.next && this.items.length - this.current <= AHEAD) await this.loadMore();
  }

  // Answers whether there was anywhere to go; after the last one is a place, too.
  async move(step) {
    if (step > 0 && this.current + step >= this.items.length) {
      this.waitingSteps += 1;
      await this.loadAhead().finally(() => { this.waitingSteps -= 1; });
    }
    const target = this.current + step;
    if (target < 0 || target > this.items.length) return false;
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
    if (!this.item || this.isClosed) return;
    const at = this.item.member.place;
    keepPosition(this.filter, at);
    clearTimeout(this.noting);
    this.noting = setTimeout(() => note("queue", { ...this.filter, at }), NOTE_PAUSE);
  }

  // Answers how many it changes.
  decide(decision, items = [this.item]) {
    const steps = [];
    try {
      for (const item of items) {
        const step = this.decideOne(decision, item);
        if (step) steps.push(step);
      }
    } finally {
      this.undo.push(steps);
    }
    return steps.length;
  }

  // Answers the step to take back, if it changes anything.
  decideOne(decision, item) {
    const after = item && outcome(decision, item.member.status);
    if (!after || (decision === "approve" && item.member.standing !== "holds")) return undefined;
    const { id: question, iteration, texts, status: before } = item.member;
    const deletion = { iteration, question, keeper: item.group.keeper.id, texts };
    this.send(item, deletion, decision, before);
    return { ...deletion, before, after };
  }

  // Decides all of the group that is pending, and goes to what comes after; answers how many.
  async decideGroup(decision) {
    const group = this.item?.group;
    while (this.next && this.items.at(-1)?.group === group) await this.loadMore();
    const pending = (group?.items ?? []).filter(({ member }) => member.status === "pending");
    const decided = this.decide(decision, pending);
    if (decided > 0) await this.move(this.items.indexOf(group.items.at(-1)) + 1 - this.current);
    return decided;
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

  // Takes the last decision back, or all of one on a group, and goes to its first deletion; answers that, or nothing.
  undoLast() {
    const steps = this.undo.pop();
    if (!steps) return undefined;
    const [first] = steps;
    this.sendBack(steps);
    const item = this.find(first);
    if (item) this.goTo(this.items.indexOf(item));
    return first;
  }

  // The last first. What could not be sent may be taken back later.
  sendBack(steps) {
    const left = [...steps];
    try {
      for (; left.length > 0; left.pop()) this.sendStepBack(left.at(-1));
    } finally {
      this.undo.push(left);
    }
  }

  // Notes in the step how far it came.
  sendStepBack(step) {
    const { before, after, ...deletion } = step;
    for (const decision of wayBack(before, after)) {
      this.send(this.find(deletion), deletion, decision, step.after);
      step.after = outcome(decision, step.after);
    }
  }

  // What the daemon said of a decision.
  take(decision, result) {
    if (result.code !== 200) this.undo.drop(decision.iteration, decision.question);
    this.taken.set(deletionOf(decision.iteration, decision.question), result);
    const item = this.find(decision);
    if (!item) return;
    item.waiting = Math.max(0, item.waiting - 1);
    if (result.code !== 200) item.conflict = result;
    if (result.code !== 200 || item.waiting === 0) showResult(item, result);
    this.changed();
  }
}
