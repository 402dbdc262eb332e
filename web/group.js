// Shows the group that is looked at: the keeper, and beside it its members.

import { button, make } from "./element.js";
import { findingList, tagsOf } from "./pair.js";
import { questionBody } from "./question.js";
import { riskPercent, wordFor, words } from "./words.js";

// Members that are shown at a time: a group may have a thousand.
const SHOWN = 24;

// Who decided: the user, and what they call themselves.
function personText({ decided_by: user, given_name: name }) {
  return !name || name === user ? user : words("person", { name, user });
}

// What the daemon answered that refused a decision, in words.
export function conflictText({ reason, status, ...decided }) {
  const name = personText(decided);
  if (!name || reason !== `is ${status} by now`) return words("conflict_alone", { reason });
  return words("conflict", { name, status: wordFor("status", status) });
}

function statusOf(item) {
  const { status } = item.member;
  const name = personText(item.member);
  if (item.conflict) return make("p", { class: `status conflict ${status}` }, conflictText(item.conflict));
  const text = name && status !== "pending" ? words("decided", { name, status: wordFor("status", status) })
    : wordFor("status", status);
  return make("p", { class: `status ${status}` }, item.waiting > 0 ? `${text} · ${words("saving")}` : text);
}

function buttonsFor(item, actions) {
  const { status, standing } = item.member;
  const open = status === "pending" || status === "approved";
  return make("p", { class: "actions" },
    button(words("approve"), actions.approve, {
      class: "approve", disabled: status !== "pending" || standing !== "holds", "aria-keyshortcuts": "a",
    }),
    button(words("reject"), actions.reject, { class: "reject", disabled: !open, "aria-keyshortcuts": "x" }),
    button(words("skip_pair"), actions.skip, { "aria-keyshortcuts": "Space" }),
    button(words("undo"), actions.undo, { "aria-keyshortcuts": "u" }),
    status === "approved" || status === "rejected" ? button(words("reset"), actions.reset) : null);
}

// What is typed goes with the next decision.
function noteField(item, actions) {
  const input = make("input", {
    class: "note-input", maxlength: 500, value: item.note ?? "", placeholder: `${words("note")} (n)`,
    "aria-label": words("note"), "aria-keyshortcuts": "n", autocomplete: "off",
  });
  input.addEventListener("input", () => { item.note = input.value; });
  input.addEventListener("keydown", (event) => {
    if (!event.isComposing && (event.key === "Enter" || event.key === "Escape")) actions.leaveNote();
  });
  return input;
}

function headOf(item, number) {
  const { id, similarity, distance, length, iteration } = item.member;
  return make("header", {},
    make("kbd", { class: "number" }, String(number)),
    make("h2", {}, `${words("remove")} `, make("b", {}, id)),
    tagsOf(item.member),
    make("p", { class: "likeness" }, words("alike", { percent: similarity, distance, length }),
      ` · ${words("iteration")} ${iteration}`),
    statusOf(item));
}

function memberCard(item, number, isCurrent, choose, actions) {
  const { id, iteration, standing, marks, note } = item.member;
  return make("article", {
    class: `member ${item.member.status}${isCurrent ? " current" : ""}`, tabindex: -1, "data-question": id,
    "data-iteration": iteration, "aria-current": isCurrent ? "true" : null, on: { click: choose },
  }, headOf(item, number),
  standing === "holds" ? null : make("p", { class: "standing" }, words(`standing_${standing}`)),
  questionBody(item.member, marks, "delete"),
  note ? make("p", { class: "note", dir: "auto" }, note) : null,
  isCurrent ? [findingList(item.group.keeper, item.member), make("p", { class: "evidence", "data-evidence": id })] : null,
  isCurrent ? [noteField(item, actions), buttonsFor(item, actions)] : null);
}

function keeperCard({ keeper }, item) {
  return make("section", { class: "keeper", "aria-label": `${words("keep")} ${keeper.id}`, "data-keeper": keeper.id },
    make("h2", {}, `${words("keep")} `, make("b", {}, keeper.id)),
    questionBody(keeper, item.member.keeper_marks, "keep"));
}

// Those round the current one, with their places in the group.
function shownMembers(items, current) {
  const first = Math.max(0, Math.min(current - SHOWN / 2, items.length - SHOWN));
  return items.slice(first, first + SHOWN).map((item, index) => [item, first + index]);
}

function groupButtons(items, actions) {
  if (items.filter(({ member }) => member.status === "pending").length < 2) return null;
  return [button(words("approve_group"), actions.approveGroup, { class: "approve", "aria-keyshortcuts": "Shift+A" }),
    button(words("reject_group"), actions.rejectGroup, { class: "reject", "aria-keyshortcuts": "Shift+X" })];
}

// What comes after, a line for each item.
function nextList(items, goTo) {
  if (items.length === 0) return null;
  const line = ({ group, member }) => [make("b", {}, `${member.id} → ${group.keeper.id}`), " ",
    make("span", { class: `confidence ${member.confidence}` }, wordFor("confidence", member.confidence)),
    ` ${riskPercent(member.risk)} `, make("span", { lang: "zh", dir: "auto" }, member.text)];
  return make("section", { class: "next", "aria-labelledby": "next-title" },
    make("h2", { id: "next-title" }, words("next_up")),
    make("ol", {}, items.map((item) => make("li", {}, button(line(item), () => goTo(item))))));
}

// `next` are the items after it; `goTo(item)` goes to one.
export function groupView(item, next, actions, goTo) {
  const { items } = item.group;
  const current = items.indexOf(item);
  const cards = shownMembers(items, current).map(([member, index]) =>
    memberCard(member, index + 1, index === current, () => index !== current && goTo(member), actions));
  return make("div", { class: "group" },
    make("div", { class: "beside" }, keeperCard(item.group, item), nextList(next, goTo)),
    make("section", { class: "members", "aria-label": words("remove") },
      make("div", { class: "whole" },
        make("p", { class: "place" }, words("member_of", { number: current + 1, count: items.length })),
        groupButtons(items, actions)), cards));
}
