// The filters: what there is of each kind, to click at.

import { button, make } from "./element.js";
import { filterOf, go } from "./place.js";
import { reasonText } from "./pair.js";
import { FIRST } from "./queue.js";
import { count, riskPercent, wordFor, words } from "./words.js";

const STATUSES = ["pending", "approved", "rejected", "applied", "withdrawn"];
const ORDERS = ["risk", "similarity", "size", "length", "keeper"];
const RISKS = ["", "0.001", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5"];
const BIN = 5;
const SHOWN = 8;

// 80–84, 85–89, … and 100 by itself, as [parameter, label, count], the highest first.
function similarityBins(percents) {
  const bins = new Map();
  for (const [percent, deletions] of percents) {
    const low = Math.floor(percent / BIN) * BIN;
    const high = Math.min(100, low + BIN - 1);
    const value = percent === 100 ? "100-100" : `${low}-${high}`;
    bins.set(value, (bins.get(value) ?? 0) + deletions);
  }
  const sorted = [...bins].sort((a, b) => parseInt(b[0], 10) - parseInt(a[0], 10));
  return sorted.map(([value, deletions]) => [value, value === "100-100" ? "100 %" : `${value.replace("-", "–")} %`,
    deletions]);
}

// One value of a facet: a bar that one can press, and press again to let go.
function bar(filter, name, [value, label, deletions], most) {
  const pressed = filter[name] === String(value);
  const choose = () => go("queue", { ...filter, [name]: pressed ? undefined : value });
  const fill = make("span", { class: "fill" });
  fill.style.width = `${(100 * deletions) / most}%`;
  return make("li", {}, button([fill, make("span", { class: "label" }, label),
    make("span", { class: "count" }, count(deletions))], choose, { "aria-pressed": String(pressed) }));
}

// The facets of which all is shown, by their titles.
const unfolded = new Set();

// Without the rest at first, but always with what is chosen.
function facet(filter, name, title, values) {
  if (values.length === 0) return null;
  const most = Math.max(...values.map(([, , deletions]) => deletions), 1);
  const isShown = ([value], index) => index < SHOWN || filter[name] === String(value);
  const rest = values.filter((value, index) => !isShown(value, index));
  const bars = (some) => make("ul", {}, some.map((value) => bar(filter, name, value, most)));
  const toggle = ({ target }) => (target.open ? unfolded.add(title) : unfolded.delete(title));
  return make("section", { class: "facet", "data-facet": title, "aria-label": words(title) },
    make("h2", {}, words(title)), bars(values.filter(isShown)),
    rest.length === 0 ? null : make("details", { open: unfolded.has(title), on: { toggle } },
      make("summary", {}, words("more", { count: count(rest.length) })), bars(rest)));
}

// The first of the values is what holds without the parameter.
function choice(filter, name, title, values, label) {
  const choose = (event) => go("queue", { ...filter, [name]: event.target.value });
  const select = make("select", { on: { change: choose } }, values.map((value) =>
    make("option", { value, selected: value === (filter[name] ?? values[0]) }, label(value))));
  return make("label", { class: "choice" }, words(title), select);
}

function searchField(filter, search) {
  const input = make("input", { id: "search", value: filter.question ?? "", size: 12 });
  const find = () => {
    const text = input.value.trim().replace(/\s+/g, " ");  // \s includes the wide space of Chinese keyboards
    if (text !== "") search(text);
  };
  input.addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && find());
  return make("div", { class: "choice" }, make("label", {}, words("find_question"), input),
    button(words("find"), find, { id: "find" }));
}

// Where there is room for it, the panel is open; whoever opens or closes it finds it so.
let isOpen = matchMedia("(min-width: 60rem)").matches;

function foldable(content) {
  const details = make("details", { open: isOpen, on: { toggle: () => { isOpen = details.open; } } },
    make("summary", {}, words("filters")), content);
  return details;
}

// The panel for `parameters`, with the counts of the answer `facets`; `batch()` and `search(text)` open dialogs.
export function facetPanel(parameters, facets, batch, search) {
  const filter = filterOf(parameters);
  const labelled = (values, label) => values.map(([value, deletions]) => [value, label(value), deletions]);
  // A chosen value stays listed though nothing matches it, so that it can be cleared.
  const reasons = (values, isKind) => {
    const isMissing = filter.reason && isKind(filter.reason) && !values.some(([value]) => value === filter.reason);
    return labelled(isMissing ? [[filter.reason, 0], ...values] : values, reasonText);
  };
  const isSubject = (reason) => reason.includes(":");
  const pending = (filter.status ?? "pending") === "pending";
  const name = (value) => `${value}`;
  return make("aside", { "aria-label": words("filters") },
    make("p", { class: "total" }, words("matching", { count: count(facets.total) })),
    foldable(make("div", { class: "facets" },
      Object.keys(filter).length > 0 ? button(words("clear_filters"), () => go("queue"), { id: "clear" }) : null,
      button(words("from_start"), () => go("queue", { ...filter, at: FIRST }), { id: "from-start" }),
      choice(filter, "status", "status", STATUSES, (value) => wordFor("status", value)),
      choice(filter, "order", "order", ORDERS, (value) => wordFor("order", value)),
      choice(filter, "risk", "highest_risk", RISKS, (value) => (value === "" ? words("any") : riskPercent(value))),
      searchField(filter, search),
      facet(filter, "confidence", "confidence",
        labelled(facets.confidence, (value) => wordFor("confidence", value))),
      facet(filter, "reason", "reason", reasons(facets.reason, (reason) => !isSubject(reason))),
      facet(filter, "similarity", "similarity", similarityBins(facets.similarity)),
      facet(filter, "reason", "subject", reasons(facets.subject, isSubject)),
      facet(filter, "iteration", "iteration", labelled([...facets.iteration].reverse(), name)),
      pending && facets.total > 0 ? button(words("batch"), batch, { id: "batch" }) : null)));
}
