// Shows the texts of a pair, marked against each other.

import { make } from "./element.js";
import { wordFor, words } from "./words.js";

// The bits of refine/pair_marks.h.
const KINDS = [[1, "differs"], [2, "faint"], [4, "number"], [8, "unit"], [16, "negation"], [32, "formula"]];

function classesOf(kinds) {
  return KINDS.filter(([bit]) => kinds & bit).map(([, name]) => name).join(" ");
}

// The text as nodes; marks are in code points.
function marked(text, marks, differenceTag) {
  const characters = Array.from(text);
  const nodes = [];
  let at = 0;
  for (const [begin, end, kinds] of marks) {
    nodes.push(characters.slice(at, begin).join(""));
    const tag = kinds & 1 ? differenceTag : "span";
    nodes.push(make(tag, { class: `mark ${classesOf(kinds)}` }, characters.slice(begin, end).join("")));
    at = end;
  }
  nodes.push(characters.slice(at).join(""));
  return nodes;
}

function textOf(question, marks, differenceTag) {
  if (question.gone || question.text === "") return make("p", { class: "gone" }, words("gone"));
  return make("p", { class: "text", lang: "zh", dir: "auto" }, marked(question.text, marks ?? [], differenceTag));
}

function answerOf(question) {
  if (question.answer === undefined) return null;
  return make("p", { class: "answer" }, `${words("answer")}: `,
    make("span", { lang: "zh", dir: "auto" }, question.answer));
}

// A question's text and answer; `marks` set it off against the other one.
export function questionBody(question, marks, side) {
  return [textOf(question, marks, side === "keep" ? "ins" : "del"), answerOf(question)];
}

// Both questions beside each other, under their headings.
export function sides({ keeper, question }, keeperHeading, questionHeading) {
  return make("div", { class: "sides" },
    make("section", {}, keeperHeading, questionBody(keeper, question.keeper_marks, "keep")),
    make("section", {}, questionHeading, questionBody(question, question.marks, "delete")));
}

// "polarity:多/少" in words.
export function reasonText(reason) {
  const [name, subject] = reason.split(/:(.*)/s, 2);
  return subject ? `${wordFor("reason", name)} ${subject}` : wordFor("reason", name);
}

function fragment(question, [begin, end]) {
  const text = Array.from(question.text).slice(begin, end).join("");
  return make("q", { lang: "zh" }, text === "" ? "–" : text);
}

// In what the two differ, and which characters make it so: first what is doubtful, then what is harmless.
export function findingList(keeper, member) {
  const isSomewhere = ([begin, end]) => begin < end;
  const items = member.findings.filter((finding) => isSomewhere(finding.keeper) || isSomewhere(finding.question));
  if (items.length === 0) return null;
  return make("ul", { class: "findings" }, items.map((finding) => make("li", { class: finding.doubt ? "doubt" : "harmless" },
    `${reasonText(finding.kind)}: `, fragment(keeper, finding.keeper), " / ", fragment(member, finding.question))));
}

export function tagsOf(member) {
  const reasons = member.reasons === "" ? [] : member.reasons.split(";");
  return make("ul", { class: "tags" },
    make("li", { class: `confidence ${member.confidence}` }, wordFor("confidence", member.confidence)),
    reasons.map((reason) => make("li", { class: "reason" }, reasonText(reason))));
}
