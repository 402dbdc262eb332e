// Charts as SVG, each with its numbers as text for those who do not see it.

import { make, makeSvg } from "./element.js";

const WIDTH = 560;
const HEIGHT = 220;
const LEFT = 64;
const BOTTOM = 40;
const TOP = 26;
const WIDEST = 60;

const plotHeight = HEIGHT - TOP - BOTTOM;
const plotWidth = WIDTH - LEFT - 8;

function frame(title, children) {
  return makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart" },
    makeSvg("title", {}, title), children);
}

// 2, 4 or 10 times a power of ten, so that its half is a whole number.
function niceTop(most) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(most, 1))));
  return [2, 4, 10, 20].map((step) => step * power).find((top) => top >= most);
}

function axis(top, text) {
  return [0, 0.5, 1].map((share) => {
    const y = TOP + plotHeight * (1 - share);
    return [makeSvg("line", { x1: LEFT, x2: WIDTH - 8, y1: y, y2: y, class: "grid" }),
      makeSvg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text(top * share))];
  });
}

function labels(names) {
  const step = plotWidth / Math.max(1, names.length);
  const every = Math.ceil(names.length / 13);
  return names.map((name, index) => (index % every === 0
    ? makeSvg("text", { x: LEFT + step * (index + 0.5), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, name) : null));
}

function column(parts, classes, x, width, top) {
  let y = TOP + plotHeight;
  return parts.map((value, index) => {
    const height = (plotHeight * value) / top;
    y -= height;
    return makeSvg("rect", { x, y, width, height, class: classes[index] });
  });
}

// `columns` is [[name, [value of each class]]]; `axes` says what there is below and at the side.
export function stackedColumns(title, axes, classes, columns, text) {
  const top = niceTop(Math.max(...columns.map(([, parts]) => parts.reduce((sum, part) => sum + part, 0)), 0));
  const step = plotWidth / Math.max(1, columns.length);
  const width = Math.min(WIDEST, step * 0.7);
  return frame(title, [axis(top, text),
    makeSvg("text", { x: 0, y: 12 }, axes.side),
    makeSvg("text", { x: LEFT + plotWidth / 2, y: HEIGHT - 4, "text-anchor": "middle" }, axes.below),
    columns.map(([, parts], index) =>
      column(parts, classes, LEFT + step * (index + 0.5) - width / 2, width, top)),
    labels(columns.map(([name]) => name))]);
}

// An interval of shares, and the share in it.
export function intervalBar(low, share, high) {
  const bar = (from, to, height, name) => makeSvg("rect", { x: 100 * from, width: Math.max(1, 100 * (to - from)),
    y: 6 - height / 2, height, class: name });
  return makeSvg("svg", { viewBox: "0 0 101 12", preserveAspectRatio: "none", class: "interval", "aria-hidden": "true" },
    bar(0, 1, 1, "scale"), bar(low, high, 6, "range"), bar(share, share, 12, "share"));
}

// [[class, name]] as a list of what the colours mean.
export function chartLegend(entries) {
  return make("ul", { class: "chart-legend" },
    entries.map(([style, name]) => make("li", { class: style }, make("span", {}, name))));
}
