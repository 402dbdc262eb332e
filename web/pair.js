// Shows a pair: both questions, and what is known of how they differ.

import { make } from "./element.js";
import { questionBody } from "./question.js";
import { riskPercent, wordFor, words } from "./words.js";

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
    make("li", { class: "risk" }, words("risk", { percent: riskPercent(member.risk) })),
    reasons.map((reason) => make("li", { class: "reason" }, reasonText(reason))));
}
