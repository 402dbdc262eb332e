// Shows a question: its text with what differs, with formulas and tables drawn, and its answer.

import { make, makeMath } from "./element.js";
import { words } from "./words.js";

// Bits of refine/pair_marks.h; what is equal is shown plain.
const DIFFERS = 1;
const FAINT = 2;

// The elements of markup/display.h; nothing else is made, whatever a text holds.
const TOKENS = ["mn", "mi", "mo"];
const MATH = ["math", "mtext", "mrow", "mfrac", "msup", "msub", "msubsup", "msqrt", "mroot", "mover", "mtable", "mtr",
  "mtd", ...TOKENS];
const HTML = ["sup", "sub", "table", "tr", "td"];

// A text with what sets it off against the other one; all places are code points.
export class MarkedText {
  constructor({ text, drawing }, marks = [], differenceTag = "span") {
    this.groups = drawing && grouped(drawing.pieces);
    this.characters = Array.from(drawing?.text ?? text);
    this.kinds = new Uint8Array(this.length);
    this.numbers = new Int32Array(this.length).fill(-1);
    for (const [begin, end, kinds] of marks) if (kinds & DIFFERS) this.kinds.fill(kinds & (DIFFERS | FAINT), begin, end);
    this.differenceTag = differenceTag;
  }

  get length() {
    return this.characters.length;
  }

  differs(at) {
    return at < this.length && this.kinds[at] !== 0;
  }

  // Whether any of it differs by more than punctuation and spelling.
  isLoud(begin, end) {
    return this.kinds.subarray(begin, end).some((kinds) => (kinds & FAINT) === 0);
  }

  // Says which difference it is.
  number(begin, end, number) {
    this.numbers.fill(number, begin, end);
  }

  // Formulas and tables stay whole.
  canCut(at) {
    return !this.groups?.some(([[name, begin, end]]) => name !== "text" && begin < at && at < end);
  }

  textOf(begin, end) {
    return this.characters.slice(begin, end).join("");
  }

  attributesOf(kinds, number, more = "") {
    return { class: `mark differs${kinds & FAINT ? " faint" : ""}${more}`, "data-difference": number < 0 ? null : number };
  }

  // As nodes, each marked by itself.
  nodes(begin, end) {
    const nodes = [];
    for (let at = begin, next = begin; at < end; at = next) {
      const kinds = this.kinds[at];
      while (next < end && this.kinds[next] === kinds) next += 1;
      const text = this.textOf(at, next);
      nodes.push(kinds ? make(this.differenceTag, this.attributesOf(kinds, this.numbers[at]), text) : text);
    }
    return nodes;
  }

  // Of an element that is marked as a whole.
  elementAttributes(begin, end) {
    let kinds = 0;
    for (let at = begin; at < end; at += 1) kinds |= this.kinds[at];
    return kinds === 0 ? {} : this.attributesOf(kinds, Math.max(...this.numbers.subarray(begin, end)), ` ${this.differenceTag}`);
  }
}

// An element that holds others, and has an end.
function isOpened(name) {
  return name !== undefined && name !== "text" && name !== "figure" && !TOKENS.includes(name);
}

// The pieces, those of an element with all that is in it together.
function grouped(pieces) {
  const groups = [];
  let depth = 0;
  for (const piece of pieces) {
    if (depth === 0) groups.push([]);
    groups.at(-1).push(piece);
    if (piece.length === 0) depth -= 1;
    else if (isOpened(piece[0])) depth += 1;
  }
  return groups;
}

function figureOf(name, address, attributes) {
  const caption = make("span", { ...attributes, class: `figure ${attributes.class ?? ""}` }, `${words("figure")} ${name}`.trim());
  if (!address) return caption;
  const showName = () => image.replaceWith(caption);
  const image = make("img", { ...attributes, src: address, alt: name, loading: "lazy", on: { error: showName } });
  return image;
}

function elementOf([name, begin, end, figure, address], text) {
  const isToken = TOKENS.includes(name);
  const attributes = text.elementAttributes(begin, end);
  if (name === "figure") return figureOf(figure, address, attributes);
  const content = isToken ? text.textOf(begin, end) : null;
  if (MATH.includes(name)) return makeMath(name, attributes, content);
  return make(HTML.includes(name) ? name : "span", attributes);
}

// Draws the pieces into `root`: [name, begin, end, …] of the text; [] ends an element.
function draw(root, pieces, text) {
  const open = [root];
  for (const piece of pieces) {
    const [name, begin, end] = piece;
    const parent = open[open.length - 1];
    if (name === undefined) {
      open.pop();
    } else if (name === "text") {
      parent.append(...text.nodes(begin, end));
    } else {
      const element = elementOf(piece, text);
      parent.append(element);
      if (isOpened(name)) open.push(element);
    }
  }
  return root;
}

// Draws what is within [first, last).
function drawPart(root, text, first, last) {
  for (const group of text.groups) {
    const [[name, begin, end]] = group;
    const isWithin = begin >= first && (begin < last || last === text.length);
    if (name === "text") root.append(...text.nodes(Math.max(begin, first), Math.min(end, last)));
    else if (isWithin) draw(root, group, text);
  }
  return root;
}

// A stretch of a text.
export function textPart(text, begin, end) {
  const attributes = { lang: "zh", dir: "auto" };
  return text.groups ? drawPart(make("div", { class: "text drawn", ...attributes }), text, begin, end)
    : make("p", { class: "text", ...attributes }, text.nodes(begin, end));
}

// A text as one; instead of one that is gone, or empty, a word on that.
export function wholeText(question, text) {
  return question.gone || question.text === "" ? make("p", { class: "gone" }, words("gone")) : textPart(text, 0, text.length);
}

function answerOf({ answer, answer_drawing: drawing }) {
  if (answer === undefined) return null;
  const root = make("span", { lang: "zh", dir: "auto" }, drawing ? null : answer);
  if (drawing) draw(root, drawing.pieces, new MarkedText({ drawing }));
  return make(drawing ? "div" : "p", { class: "answer" }, `${words("answer")}: `, root);
}

// Whoever looks at the original of one question sees those of all.
let showsOriginals = false;

function showOriginals({ target }) {
  showsOriginals = target.open;
  for (const other of document.querySelectorAll("details.original")) other.open = showsOriginals;
}

// Text and answer as they were imported, where that is not what is compared.
function originalOf({ original, original_answer: answer }) {
  const texts = [original, answer].filter((text) => text !== undefined);
  if (texts.length === 0) return null;
  return make("details", { class: "original", open: showsOriginals, on: { toggle: showOriginals } },
    make("summary", {}, words("original")), texts.map((text) => make("p", { lang: "zh", dir: "auto" }, text)));
}

// What stands below the text.
export function belowText(question) {
  return [answerOf(question), originalOf(question)];
}
