// Shows the group that is looked at: the keeper beside one of its members, and the others below.

import { button, make } from "./element.js";
import { findingList, sides, tagsOf } from "./pair.js";
import { MarkedText, wholeText } from "./question.js";
import { refusalText, riskPercent, wordFor, words } from "./words.js";

// Members that are shown at a time: a group may have a thousand.
const SHOWN = 24;

// Who decided: the user, and what they call themselves, unless they signed in by that name.
function personText({ decided_by: user, given_name: name }) {
  return !name || name === user || user === `reviewer:${name}` ? user : words("person", { name, user });
}

// What the daemon answered that refused a decision, in words.
export function conflictText({ reason, status, ...decided }) {
  const name = personText(decided);
  if (!name || reason !== `is ${status} by now`) return words("conflict_alone", { reason: refusalText(reason) });
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
    status === "approved" || status === "rejected" ? button(words("reset"), actions.reset) : null,
    button("↓", actions.nextDifference, {
      class: "jump", "aria-label": words("next_difference"), title: words("next_difference"), "aria-keyshortcuts": "d",
    }));
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

function detailsOf(item) {
  const { similarity, distance, length, iteration } = item.member;
  return [tagsOf(item.member),
    make("p", { class: "likeness" }, words(distance === null ? "alike_sets" : "alike", { percent: similarity, distance, length }),
      ` · ${words("iteration")} ${iteration}`),
    statusOf(item)];
}

function attributesOf({ member }, more) {
  return { class: `member ${member.status}${more}`, "data-question": member.id, "data-iteration": member.iteration };
}

function standingOf({ member: { standing } }) {
  return standing === "holds" ? null : make("p", { class: "standing" }, words(`standing_${standing}`));
}

function headingOf(name, { id }) {
  return make("h3", {}, `${words(name)} `, make("b", {}, id));
}

function currentCard(item, actions) {
  const { group: { keeper }, member } = item;
  item.unfolded ??= new Set();
  return make("article", {
    ...attributesOf(item, " current"), tabindex: -1, "aria-current": "true", "aria-label": `${words("remove")} ${member.id}`,
  }, make("header", {}, detailsOf(item)), standingOf(item),
  sides({ keeper, question: member }, headingOf("keep", keeper), headingOf("remove", member), item.unfolded),
  member.note ? make("p", { class: "note", dir: "auto" }, member.note) : null,
  make("div", { class: "reasons" }, findingList(keeper, member), make("p", { class: "evidence", "data-evidence": member.id })),
  noteField(item, actions), buttonsFor(item, actions));
}

// Another one of the group, in short.
function otherCard(item, number, choose) {
  const { member } = item;
  return make("article", { ...attributesOf(item, ""), on: { click: choose } },
    make("header", {}, make("kbd", { class: "number" }, String(number)),
      make("h3", {}, make("button", { type: "button", class: "plain" }, `${words("remove")} `, make("b", {}, member.id))),
      detailsOf(item)),
    standingOf(item), wholeText(member, new MarkedText(member, member.marks, "del")));
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
export function nextList(items, goTo) {
  if (items.length === 0) return null;
  const line = ({ member }) => [make("span", { class: `confidence ${member.confidence}` }, riskPercent(member.risk)), " ",
    make("span", { lang: "zh", dir: "auto" }, member.text)];
  return make("section", { class: "next", "aria-labelledby": "next-title" },
    make("h2", { id: "next-title" }, words("next_up")),
    make("ol", {}, items.map((item) => make("li", { "data-question": item.member.id },
      button(line(item), () => goTo(item), { title: `${item.member.id} → ${item.group.keeper.id}` })))));
}

// The one that is looked at comes first, so that it stands at one place.
export function groupView(item, actions, goTo) {
  const { items } = item.group;
  const current = items.indexOf(item);
  const others = shownMembers(items, current).filter(([member]) => member !== item);
  return make("section", { class: "members", "aria-labelledby": "place" },
    make("div", { class: "whole" },
      make("h2", { class: "place", id: "place" }, words("member_of", { number: current + 1, count: items.length })),
      groupButtons(items, actions)),
    currentCard(item, actions),
    others.map(([member, index]) => otherCard(member, index + 1, () => goTo(member))));
}
