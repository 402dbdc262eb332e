// How the weeks went, and how the daemon is.

import { daemonStatus, look } from "./api.js";
import { chartLegend, intervalBar, stackedColumns } from "./chart.js";
import { make, table } from "./element.js";
import { hashOf } from "./place.js";
import { count, percent, time, timeZone, wordFor, words } from "./words.js";

const STATUSES = ["pending", "approved", "applied", "rejected", "withdrawn"];

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

function tiles(daemon, { questions, waiting_lists: waiting, coverage }) {
  return make("div", { class: "tiles" }, daemonTile(daemon), lagTile(daemon),
    tile("waiting_lists", count(waiting)),
    daemon.next_slot ? tile("next_slot", time(daemon.next_slot), timeZone())
      : tile("next_slot", words("no_schedule"), words("how_to_schedule")),
    tile("bank", count(questions)),
    tile("coverage", coverage ? percent(coverage.share) : "–", coverage ? words("of_iteration", { id: coverage.iteration }) : null));
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
    make("td", {}, time(iteration.finished_at)), number(iteration.lists), number(iteration.clusters),
    number(iteration.deletions), number(iteration.confidences.safe), number(iteration.confidences.doubtful),
    STATUSES.map((status) => number(iteration.statuses[status]))];
}

function iterationTable(iterations) {
  const titles = [words("iteration"), `${words("finished")} (${timeZone()})`, words("lists"), words("clusters"), words("deletions"),
    wordFor("confidence", "safe"), wordFor("confidence", "doubtful"),
    ...STATUSES.map((status) => wordFor("status", status))];
  return table(words("iterations"), titles, [...iterations].reverse().map(iterationRow));
}

function deletionChart(iterations) {
  const columns = iterations.map(({ id, statuses }) => [`${id}`, STATUSES.map((status) => statuses[status] ?? 0)]);
  const axes = { side: words("deletions"), below: words("iteration") };
  return make("figure", {}, make("figcaption", {}, words("deletions_trend")),
    stackedColumns(words("deletions_trend"), axes, STATUSES, columns, count),
    chartLegend(STATUSES.map((status) => [status, wordFor("status", status)])));
}

// Cells: how many of how many, the share, and where it may really lie.
function shareCells(some, all, { share, low, high }) {
  if (all === 0) return ["0 / 0", "–", "–"].map((text) => make("td", { class: "number" }, text));
  return [`${count(some)} / ${count(all)}`, percent(share)].map((text) => make("td", { class: "number" }, text)).concat(
    make("td", {}, make("span", {}, intervalBar(low, share, high), `${percent(low)} – ${percent(high)}`)));
}

function part(title, content) {
  return make("section", { class: "part" }, make("h2", {}, words(title)), content);
}

// What one can do where there is nothing yet.
function nothing(name, view) {
  return make("p", { class: "empty" }, words(name), " ", view ? make("a", { href: hashOf(view) }, words(`view_${view}`)) : null);
}

function rejections(reasons) {
  if (reasons.length === 0) return nothing("none_decided", "queue");
  const row = (each) => [make("th", { scope: "row" }, wordFor("reason", each.reason)),
    ...shareCells(each.rejected, each.decided, each)];
  const titles = [words("reason"), words("rejected_of_decided"), words("rejected_share"), words("interval")];
  return table(words("rejections"), titles, [...reasons].sort((a, b) => b.decided - a.decided).map(row));
}

function reviewerTable(reviewers) {
  if (reviewers.length === 0) return nothing("none_reviewed", "queue");
  const number = (value) => make("td", { class: "number" }, count(value));
  const row = ({ name, approved, rejected, last_at: last, judged, agreement }) => [make("th", { scope: "row" }, name),
    number(approved), number(rejected), make("td", {}, last ? time(last) : "–"), number(judged),
    ...shareCells(agreement.agreed, agreement.compared, agreement)];
  const titles = [words("reviewer"), wordFor("status", "approved"), wordFor("status", "rejected"), words("last_decision"),
    words("blind_judged"), words("agreed_of_compared"), words("agreement"), words("interval")];
  return [table(words("reviewers"), titles, reviewers.map(row)), make("p", { class: "detail" }, words("agreement_means"))];
}

export class DashboardView {
  constructor(page, parameters, root, signal) {
    this.root = root;
    this.signal = signal;
  }

  async open() {
    const [daemon, weeks] = await Promise.all([daemonStatus(this.signal), look("dashboard", {}, this.signal)]);
    const { iterations, reasons, reviewers } = weeks;
    const rest = iterations.length === 0 ? nothing("no_iterations")
      : [make("div", { class: "charts" }, deletionChart(iterations), part("rejections", rejections(reasons))),
        part("reviewers", reviewerTable(reviewers)), part("iterations", iterationTable(iterations))];
    this.root.replaceChildren(make("div", { class: "dashboard" }, tiles(daemon, weeks), learningNote(weeks.learn), rest));
  }
}
