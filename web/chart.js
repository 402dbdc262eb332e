// Charts as SVG, each with its numbers as text for those who do not see it.

import { make, makeSvg } from "./element.js";

const WIDTH = 560;
const HEIGHT = 180;
const LEFT = 64;
const BOTTOM = 24;
const TOP = 10;

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
    ? makeSvg("text", { x: LEFT + step * (index + 0.5), y: HEIGHT - 6, "text-anchor": "middle" }, name) : null));
}

function column(parts, classes, x, width, top) {
  let y = TOP + plotHeight;
  return parts.map((value, index) => {
    const height = (plotHeight * value) / top;
    y -= height;
    return makeSvg("rect", { x, y, width, height, class: classes[index] },
      makeSvg("title", {}, `${classes[index]}: ${value}`));
  });
}

// `columns` is [[name, [value of each class]]].
export function stackedColumns(title, classes, columns, text) {
  const top = niceTop(Math.max(...columns.map(([, parts]) => parts.reduce((sum, part) => sum + part, 0)), 0));
  const step = plotWidth / Math.max(1, columns.length);
  return frame(title, [axis(top, text),
    columns.map(([, parts], index) =>
      column(parts, classes, LEFT + step * (index + 0.15), step * 0.7, top)),
    labels(columns.map(([name]) => name))]);
}

// `lines` is [[name, class, [value or null for each of `names`]]]; values are from 0 to 1.
export function shareLines(title, names, lines, text) {
  const step = plotWidth / Math.max(1, names.length);
  const point = (value, index) => [LEFT + step * (index + 0.5), TOP + plotHeight * (1 - value)];
  const shown = lines.map(([name, style, values]) => {
    const points = values.map((value, index) => (value === null ? null : point(value, index))).filter(Boolean);
    return makeSvg("g", { class: style }, makeSvg("title", {}, name),
      makeSvg("polyline", { points: points.map((xy) => xy.join(",")).join(" "), fill: "none" }),
      points.map(([x, y]) => makeSvg("circle", { cx: x, cy: y, r: 3 })));
  });
  return frame(title, [axis(1, text), shown, labels(names)]);
}

// [[class, name]] as a list of what the colours mean.
export function chartLegend(entries) {
  return make("ul", { class: "chart-legend" },
    entries.map(([style, name]) => make("li", { class: style }, make("span", {}, name))));
}
