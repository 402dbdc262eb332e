// Makes elements. Texts become text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// make("p", {class: "note"}, "text", otherElement). `on` holds event handlers.
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function makeMath(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(MATHML, tag), attributes, children);
}

// Titles of columns, and rows of cells (`th` or `td`). It scrolls by itself, and takes the focus for that; on a phone
// each row is a card, with the titles in it. The roles are for browsers that see no table in that.
export function table(name, titles, rows) {
  const head = make("tr", { role: "row" }, titles.map((title) => make("th", { scope: "col", role: "columnheader" }, title)));
  const row = (cells) => {
    cells.forEach((cell, index) => {
      cell.dataset.title = titles[index];
      cell.setAttribute("role", cell.localName === "th" ? "rowheader" : "cell");
    });
    return make("tr", { role: "row" }, cells);
  };
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name },
    make("table", { role: "table" }, make("thead", { role: "rowgroup" }, head),
      make("tbody", { role: "rowgroup" }, rows.map((cells) => row(cells.flat())))));
}

// A dialog that is open, and gone when it is closed, or another place is gone to.
export function openDialog(attributes, ...children) {
  const leave = () => dialog.close();
  const end = () => {
    removeEventListener("hashchange", leave);
    dialog.remove();
  };
  const dialog = make("dialog", { ...attributes, on: { close: end } }, children);
  addEventListener("hashchange", leave);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function button(text, action, attributes = {}) {
  return make("button", { type: "button", ...attributes, on: { click: action } }, text);
}
