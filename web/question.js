// Shows a question: its text with marks, with formulas and tables drawn, and its answer.

import { make, makeMath } from "./element.js";
import { words } from "./words.js";

// The bits of refine/pair_marks.h.
const DIFFERS = 1;
const FAINT = 2;
const KINDS = [[DIFFERS, "differs"], [FAINT, "faint"], [4, "number"], [8, "unit"], [16, "negation"], [32, "formula"]];

// The elements of markup/display.h; nothing else is made, whatever a text holds.
const TOKENS = ["mn", "mi", "mo"];
const MATH = ["math", "mtext", "mrow", "mfrac", "msup", "msub", "msubsup", "msqrt", "mroot", "mover", "mtable", "mtr",
  "mtd", ...TOKENS];
const HTML = ["sup", "sub", "table", "tr", "td"];

// A text whose marks, in code points, set it off against the other one.
class MarkedText {
  constructor(text, marks, differenceTag) {
    this.characters = Array.from(text);
    this.kinds = new Uint8Array(this.characters.length);
    for (const [begin, end, kinds] of marks) this.kinds.fill(kinds, begin, end);
    this.differenceTag = differenceTag;
  }

  textOf(begin, end) {
    return this.characters.slice(begin, end).join("");
  }

  classesOf(kinds) {
    return `mark ${KINDS.filter(([bit]) => kinds & bit).map(([, name]) => name).join(" ")}`;
  }

  // As nodes, each marked by itself.
  nodes(begin = 0, end = this.characters.length) {
    const nodes = [];
    for (let at = begin, next = begin; at < end; at = next) {
      const kinds = this.kinds[at];
      while (next < end && this.kinds[next] === kinds) next += 1;
      const text = this.textOf(at, next);
      const tag = kinds & DIFFERS ? this.differenceTag : "span";
      nodes.push(kinds ? make(tag, { class: this.classesOf(kinds) }, text) : text);
    }
    return nodes;
  }

  // The class of an element that is marked as a whole; of one with others in it if it differs.
  classOf(begin, end, isToken) {
    let kinds = 0;
    for (let at = begin; at < end; at += 1) kinds |= this.kinds[at];
    if (!isToken) kinds &= DIFFERS | FAINT;
    if (kinds === 0) return null;
    return `${this.classesOf(kinds)}${kinds & DIFFERS ? ` ${this.differenceTag}` : ""}`;
  }
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
  const attributes = { class: text.classOf(begin, end, isToken || name === "figure") };
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
      if (name !== "figure" && !TOKENS.includes(name)) open.push(element);
    }
  }
  return root;
}

function textOf(question, marks, differenceTag) {
  const { gone, text, drawing } = question;
  if (gone || text === "") return make("p", { class: "gone" }, words("gone"));
  const attributes = { lang: "zh", dir: "auto" };
  const marked = new MarkedText(drawing?.text ?? text, marks ?? [], differenceTag);
  return drawing ? draw(make("div", { class: "text drawn", ...attributes }), drawing.pieces, marked)
    : make("p", { class: "text", ...attributes }, marked.nodes());
}

function answerOf({ answer, answer_drawing: drawing }) {
  if (answer === undefined) return null;
  const root = make("span", { lang: "zh", dir: "auto" }, drawing ? null : answer);
  if (drawing) draw(root, drawing.pieces, new MarkedText(drawing.text, [], "ins"));
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

// A question's text and answer; `marks` set it off against the other one.
export function questionBody(question, marks, side) {
  return [textOf(question, marks, side === "keep" ? "ins" : "del"), answerOf(question), originalOf(question)];
}
