// How the weeks went, and how the daemon is.

import { daemonStatus, look } from "./api.js";
import { chartLegend, shareLines, stackedColumns } from "./chart.js";
import { make, table } from "./element.js";
import { hashOf } from "./place.js";
import { count, percent, wordFor, words } from "./words.js";

const STATUSES = ["pending", "approved", "applied", "rejected", "withdrawn"];
const MOST_LINES = 6;

function tile(title, value, detail = null, state = "") {
  return make("section", { class: `tile ${state}` }, make("h2", {}, words(title)),
    make("p", { class: "value" }, value), detail ? make("p", { class: "detail" }, detail) : null);
}

function lagTile(daemon) {
  const bytes = daemon.lagging_logs.reduce((sum, log) => sum + log.bytes, 0);
  const detail = daemon.lagging_logs.map((log) => log.path).slice(0, 3).join(", ");
  return tile("lag", bytes === 0 ? words("no_lag") : words("lag_bytes", { bytes: count(bytes) }), detail);
}

function daemonTile(daemon) {
  const detail = daemon.working_on ? words("working_on", { job: daemon.working_on.job }) : daemon.trouble;
  return tile("daemon", words(daemon.healthy ? "healthy" : "unhealthy"), detail, daemon.healthy ? "good" : "bad");
}

function tiles(daemon, { questions, waiting, iterations }) {
  const last = iterations.at(-1);
  return make("div", { class: "tiles" }, daemonTile(daemon), lagTile(daemon),
    tile("waiting_lists", count(waiting.lists)),
    tile("next_slot", daemon.next_slot ?? words("no_schedule")),
    tile("bank", count(questions)),
    tile("coverage", last ? percent(last.coverage) : "–"));
}

function learningNote({ decisions, would_help: wouldHelp }) {
  return wouldHelp ? make("p", { class: "learn" }, words("learn_would_help", { count: count(decisions) })) : null;
}

function iterationRow(iteration) {
  const number = (value) => make("td", { class: "number" }, count(value ?? 0));
  return [
    make("th", { scope: "row" }, make("span", {},
      make("a", { href: hashOf("queue", { iteration: iteration.id }) }, `${iteration.id}`),
      iteration.kind === "sweep" ? ` ${words("sweep")}` : "",
      iteration.withheld ? ` (${words("held")})` : "")),
    make("td", {}, iteration.finished_at), number(iteration.lists), number(iteration.clusters),
    number(iteration.deletions), number(iteration.confidences.safe), number(iteration.confidences.doubtful),
    STATUSES.map((status) => number(iteration.statuses[status])),
    make("td", { class: "number" }, percent(iteration.coverage))];
}

function iterationTable(iterations) {
  const titles = [words("iteration"), words("finished"), words("lists"), words("clusters"), words("deletions"),
    wordFor("confidence", "safe"), wordFor("confidence", "doubtful"),
    ...STATUSES.map((status) => wordFor("status", status)), words("coverage_short")];
  return table(words("iterations"), titles, [...iterations].reverse().map(iterationRow));
}

function deletionChart(iterations) {
  const columns = iterations.map(({ id, statuses }) => [`${id}`, STATUSES.map((status) => statuses[status] ?? 0)]);
  return make("figure", {}, make("figcaption", {}, words("deletions_trend")),
    stackedColumns(words("deletions_trend"), STATUSES, columns, count),
    chartLegend(STATUSES.map((status) => [status, wordFor("status", status)])));
}

function rateLine({ reason, points }, ids, style) {
  const rates = new Map(points.map(({ iteration, decided, rejected }) =>
    [iteration, decided > 0 ? rejected / decided : null]));
  return [wordFor("reason", reason), style, ids.map((id) => rates.get(id) ?? null)];
}

function rejectionChart({ reasons, iterations }) {
  const decided = ({ points }) => points.reduce((sum, point) => sum + point.decided, 0);
  const shown = reasons.filter((reason) => decided(reason) > 0).sort((a, b) => decided(b) - decided(a));
  if (shown.length === 0) return make("p", {}, words("none_decided"));
  const ids = iterations.map(({ id }) => id);
  const lines = shown.slice(0, MOST_LINES).map((reason, index) => rateLine(reason, ids, `line${index}`));
  return make("figure", {}, make("figcaption", {}, words("rejection_trend")),
    shareLines(words("rejection_trend"), ids.map(String), lines, (share) => `${share * 100} %`),
    chartLegend(lines.map(([name, style]) => [style, name])));
}

export class DashboardView {
  constructor(page, parameters, root, signal) {
    this.root = root;
    this.signal = signal;
  }

  async open() {
    const [daemon, weeks] = await Promise.all([daemonStatus(this.signal), look("dashboard", {}, this.signal)]);
    const charts = weeks.iterations.length === 0 ? make("p", {}, words("no_iterations"))
      : [make("div", { class: "charts" }, deletionChart(weeks.iterations), rejectionChart(weeks)),
        make("h2", {}, words("iterations")), iterationTable(weeks.iterations)];
    this.root.replaceChildren(make("div", { class: "dashboard" }, tiles(daemon, weeks), learningNote(weeks.learn), charts));
  }
}
