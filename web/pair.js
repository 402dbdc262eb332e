// Shows a pair: both questions, and what is known of how they differ.

import { alignedRows } from "./alignment.js";
import { button, make } from "./element.js";
import { belowText, MarkedText, textPart, wholeText } from "./question.js";
import { count, riskPercent, wordFor, words } from "./words.js";

// A stretch that both have stands for itself until it is unfolded, on both sides.
function foldedRow({ keep, remove }, number, texts, unfolded) {
  const [begin, end] = keep;
  const unfold = ({ currentTarget }) => {
    const index = folds.indexOf(currentTarget);
    const parts = [textPart(texts[0], ...keep), textPart(texts[1], ...remove)];
    folds.forEach((fold, side) => fold.replaceWith(parts[side]));
    unfolded.add(number);
    parts[index].tabIndex = -1;
    parts[index].focus();
  };
  const folds = texts.map(() => button(words("equal", { count: count(end - begin) }), unfold, { class: "fold" }));
  return folds;
}

// Both questions beside each other, under their headings: in rows, so that what is alike stands side by side.
// `unfolded` holds the rows that somebody unfolded, and is added to.
export function sides({ keeper, question }, keeperHeading, questionHeading, unfolded = new Set()) {
  const texts = [new MarkedText(keeper, question.keeper_marks, "ins"), new MarkedText(question, question.marks, "del")];
  const rows = alignedRows(...texts);
  const isWhole = texts.some(({ length }) => length === 0);
  const parts = isWhole ? [[wholeText(keeper, texts[0]), wholeText(question, texts[1])]] : rows.map((row, number) =>
    (row.isFolded && !unfolded.has(number) ? foldedRow(row, number, texts, unfolded)
      : [textPart(texts[0], ...row.keep), textPart(texts[1], ...row.remove)]));
  const side = (index, name, heading, below) =>
    make("section", { class: name }, heading, parts.map((row) => row[index]), make("div", {}, below));
  const both = make("div", { class: "sides" }, side(0, "keep", keeperHeading, belowText(keeper)),
    side(1, "delete", questionHeading, belowText(question)));
  both.style.setProperty("--rows", parts.length + 2);
  return both;
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

const FINDINGS = 4;

// In what the two differ, and which characters make it so: first what is doubtful, then what is harmless.
export function findingList(keeper, member) {
  const isSomewhere = ([begin, end]) => begin < end;
  const found = member.findings.filter((finding) => isSomewhere(finding.keeper) || isSomewhere(finding.question));
  if (found.length === 0) return null;
  const list = (some) => make("ul", { class: "findings" }, some.map((finding) =>
    make("li", { class: finding.doubt ? "doubt" : "harmless" },
      `${reasonText(finding.kind)}: `, fragment(keeper, finding.keeper), " / ", fragment(member, finding.question))));
  if (found.length <= FINDINGS + 1) return list(found);
  return [list(found.slice(0, FINDINGS)), make("details", {},
    make("summary", {}, words("more", { count: count(found.length - FINDINGS) })), list(found.slice(FINDINGS)))];
}

export function tagsOf(member) {
  const reasons = member.reasons === "" ? [] : member.reasons.split(";");
  return make("ul", { class: "tags" },
    make("li", { class: `confidence ${member.confidence}` }, wordFor("confidence", member.confidence)),
    make("li", { class: "risk" }, words("risk", { percent: riskPercent(member.risk) })),
    reasons.map((reason) => make("li", { class: "reason" }, reasonText(reason))));
}
