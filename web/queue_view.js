// The view of the queue: filters, the group that is looked at, and the keys.

import { look } from "./api.js";
import { openBatch } from "./batch.js";
import { button, make } from "./element.js";
import { facetPanel } from "./facets.js";
import { groupView, nextList } from "./group.js";
import { bindKeys } from "./keys.js";
import { go } from "./place.js";
import { FIRST, Queue } from "./queue.js";
import { search } from "./search.js";
import { bindSwipe } from "./swipe.js";
import { count, words } from "./words.js";

const REFRESH_PAUSE = 1500;
const EVIDENCE_PAUSE = 250;
const NEXT = 5;
const LISTED_SKIPPED = 20;
const HOUR = 3600000;

export class QueueView {
  constructor(page, parameters, root, signal) {
    this.page = page;
    this.root = root;
    this.signal = signal;
    this.parameters = parameters;
    this.queue = new Queue(parameters, page.outbox, page.reviewer, signal, () => this.showGroup());
    this.facets = make("div", { class: "side" });
    this.progress = make("div", { class: "progress" });
    this.group = make("div", { class: "centre" });
    this.next = make("div", { class: "following" });
    this.actions = {
      approve: () => this.decide("approve", "said_approved"),
      reject: () => this.decide("reject", "said_rejected"),
      reset: () => this.decide("reset", "said_undone", 0),
      approveGroup: () => this.decideGroup("approve", "said_group_approved"),
      rejectGroup: () => this.decideGroup("reject", "said_group_rejected"),
      skip: () => this.move(1),
      undo: () => this.undo(),
      leaveNote: () => this.group.querySelector(".current").focus(),
      nextDifference: () => this.showDifference(1),
    };
    bindSwipe(this.group, { right: this.actions.approve, left: this.actions.reject });
  }

  async open() {
    const [total] = await Promise.all([this.showFacets(), this.queue.open()]);
    this.total = total;
    this.root.replaceChildren(make("div", { class: "review" }, this.facets,
      make("div", { class: "main" }, this.progress, this.group), this.next));
    this.bind();
    this.showGroup();
  }

  close() {
    this.queue.close();
    clearTimeout(this.refreshing);
    clearTimeout(this.asking);
  }

  // After an outage.
  resume() {
    this.queue.loadAhead().then(() => this.showGroup()).catch(() => {});
    this.refreshFacets();
  }

  bind() {
    bindKeys({
      a: this.actions.approve, x: this.actions.reject, u: this.actions.undo, " ": this.actions.skip,
      "Shift+a": this.actions.approveGroup, "Shift+x": this.actions.rejectGroup,
      j: () => this.move(1), k: () => this.move(-1), digit: (number) => this.queue.goToMember(number),
      n: () => this.group.querySelector(".note-input")?.focus(),
      d: () => this.showDifference(1), "Shift+d": () => this.showDifference(-1),
    });
  }

  // Answers how many deletions pass the filter.
  async showFacets() {
    const since = { today: new Date(new Date().setHours(0, 0, 0, 0)), hour: new Date(Date.now() - HOUR) };
    const toTheSecond = (time) => time.toISOString().replace(/\.\d+/, "");
    const times = { today: toTheSecond(since.today), hour: toTheSecond(since.hour) };
    const [counts, own] = await Promise.all([look("facets", this.queue.filter, this.signal),
      look("own-counts", times, this.signal)]);
    if (this.isInFacets()) {
      this.refreshFacets();
      return counts.total;
    }
    const batch = () => openBatch(this.queue.filter, this.page, this.signal, () => this.page.show());
    this.facets.replaceChildren(facetPanel(this.parameters, counts, batch, (text) => this.search(text)));
    this.own = own;
    this.showProgress();
    return counts.total;
  }

  search(text) {
    const { item } = this.queue;
    return search(text, this.page, this.signal, () => this.queue.item === item);
  }

  // Drawing them anew would take the focus away.
  isInFacets() {
    return this.facets.contains(document.activeElement);
  }

  // The total when the queue was opened: decided deletions leave the queue.
  showProgress() {
    const { position, items, before } = this.queue;
    if (items.length === 0) return this.progress.replaceChildren();
    const total = Math.max(this.total ?? 0, before + items.length);
    const values = { number: count(position), count: count(total), today: count(this.own.today), hour: count(this.own.hour) };
    this.progress.replaceChildren(make("p", {}, words("progress", values)),
      make("progress", { max: total, value: position, "aria-label": words("progress", values) }));
  }

  // Counts change with each decision; they are asked for when the reviewer pauses, and does nothing else there.
  refreshFacets() {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(() => {
      if (this.isInFacets()) return this.refreshFacets();
      return this.showFacets().catch(() => {});
    }, REFRESH_PAUSE);
  }

  showGroup() {
    if (!this.group.isConnected) return;
    const { item, items, current } = this.queue;
    this.showProgress();
    this.next.replaceChildren();
    if (this.queue.isDone) return this.showDone();
    if (!item) return this.showEmpty();
    const isAnother = item !== this.shown;
    const focus = this.focusToKeep(isAnother);
    const goTo = (other) => this.queue.goTo(items.indexOf(other));
    this.group.replaceChildren(groupView(item, this.actions, goTo));
    this.next.append(...[nextList(items.slice(current + 1, current + 1 + NEXT), goTo)].filter(Boolean));
    this.shown = item;
    if (isAnother) this.group.querySelector(".current").scrollIntoView({ block: "nearest" });
    this.focusAgain(focus);
    this.showEvidence(item);
  }

  // Goes to what differs next, round and round, and marks it on both sides.
  showDifference(step) {
    const marks = [...this.group.querySelectorAll(".current [data-difference]")];
    const numbers = [...new Set(marks.map((mark) => Number(mark.dataset.difference)))].sort((a, b) => a - b);
    if (numbers.length === 0) return this.page.announce(words("no_difference"));
    const shown = marks.find((mark) => mark.classList.contains("here"));
    const last = shown ? numbers.indexOf(Number(shown.dataset.difference)) : step > 0 ? -1 : 0;
    const index = (last + step + numbers.length) % numbers.length;
    for (const mark of marks) mark.classList.toggle("here", Number(mark.dataset.difference) === numbers[index]);
    this.group.querySelector(".here").scrollIntoView({ block: "center" });
    this.page.announce(words("difference_of", { number: count(index + 1), count: count(numbers.length) }));
  }

  showEmpty() {
    this.group.replaceChildren(make("p", { class: "empty" }, words("queue_empty")));
  }

  // What was skipped is listed as far as it is loaded; all of it is the queue from the start.
  showDone() {
    const { skipped, items, before, filter } = this.queue;
    const total = before + skipped.length;
    const buttonOf = (item) => button(item.member.id, () => this.queue.goTo(items.indexOf(item)));
    const again = button(words("review_skipped"), () => go("queue", { ...filter, at: FIRST }), { id: "skipped" });
    const focused = document.activeElement;
    const hadFocus = focused === document.body || this.group.contains(focused);
    this.group.replaceChildren(make("section", { class: "done", tabindex: -1 }, make("h2", {}, words("done")),
      make("p", {}, words(total > 0 ? "done_skipped" : "done_all", { count: count(total) })),
      make("p", { class: "actions" }, skipped.slice(0, LISTED_SKIPPED).map(buttonOf),
        skipped.length > LISTED_SKIPPED ? "…" : null), total > 0 ? again : null));
    if (hadFocus) this.group.firstChild.focus();
  }

  // Which control of the deletion has the focus, none for the deletion itself; nothing while the focus is elsewhere.
  focusToKeep(isAnother) {
    const active = document.activeElement;
    if (active !== document.body && !this.group.contains(active)) return undefined;
    if (isAnother || !this.controls().includes(active)) return {};
    return { name: active.textContent, selection: [active.selectionStart, active.selectionEnd] };
  }

  focusAgain(focus) {
    if (!focus) return;
    const control = this.controls().find((each) => each.textContent === focus.name && !each.disabled);
    (control ?? this.group.querySelector(".current")).focus({ preventScroll: true });
    control?.setSelectionRange?.(...focus.selection);
  }

  controls() {
    return [...this.group.querySelectorAll(".current .note-input, .current .actions button")];
  }

  showEvidence(item) {
    clearTimeout(this.asking);
    if (item.evidence) return this.fillEvidence(item);
    this.asking = setTimeout(async () => {
      const asked = { question: item.member.id, keeper: item.group.keeper.id };
      item.evidence = await look("evidence", asked, this.signal).catch(() => null);
      if (item.evidence) this.fillEvidence(item);
    }, EVIDENCE_PAUSE);
  }

  fillEvidence(item) {
    const { lists, best, looked } = item.evidence;
    const values = { lists: count(lists), looked: count(looked), score: best?.toFixed(3) };
    const line = this.group.querySelector(`[data-evidence="${item.member.id}"]`);
    if (line) line.textContent = words(lists > 0 ? "evidence" : "evidence_none", values);
  }

  async decide(decision, said, step = 1) {
    const { item } = this.queue;
    if (!this.tried(() => this.queue.decide(decision))) return;
    this.page.announce(words(said, { id: item.member.id }));
    this.refreshFacets();
    if (step === 0 || this.queue.waitingSteps > 0 || !(await this.moved(step))) this.showGroup();
  }

  async decideGroup(decision, said) {
    try {
      const decided = await this.queue.decideGroup(decision);
      if (decided === 0) return;
      this.page.announce(words(said, { count: count(decided) }));
      this.refreshFacets();
    } catch (failure) {
      this.page.fail(failure);
    }
    this.showGroup();
  }

  // What `action` answers; null where the browser has no room for a decision.
  tried(action) {
    try {
      return action();
    } catch (failure) {
      this.page.fail(failure);
      return null;
    }
  }

  undo() {
    const step = this.tried(() => this.queue.undoLast());
    if (step === null) return;
    this.page.announce(step ? words("said_undone", { id: step.question }) : words("nothing_to_undo"));
    if (!step) return;
    this.refreshFacets();
    this.showGroup();
  }

  async moved(step) {
    try {
      const moved = await this.queue.move(step);
      if (!moved) this.page.announce(words(step > 0 ? "queue_end" : "queue_start"));
      return moved;
    } catch (failure) {
      this.page.fail(failure);
      return false;
    }
  }

  async move(step) {
    if (await this.moved(step)) this.page.announce(this.queue.item?.member.id ?? words("done"));
  }

  // Answers whether the reviewer sees what became of the decision.
  take(decision, result) {
    this.queue.take(decision, result);
    this.refreshFacets();
    const { question, iteration } = decision;
    const card = `.member[data-question="${question}"][data-iteration="${iteration}"]`;
    return this.group.querySelector(`${card} .conflict`) !== null;
  }
}
