#include "cli/summaries.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <numeric>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "iteration/iteration.h"
#include "miner/score_histogram.h"

namespace qdedup::cli {
namespace {

constexpr std::size_t max_rows = 50;
constexpr std::size_t bar_width = 40;

// Some adjacent buckets combined.
struct Row {
  double from = 0;
  std::uint64_t lists = 0;
  std::uint64_t pairs = 0;
};

std::uint64_t sum_of(const std::vector<db::ScoreCount>& scores, std::uint64_t db::ScoreCount::*count) {
  return std::accumulate(
      scores.begin(), scores.end(), std::uint64_t{0},
      [count](std::uint64_t sum, const db::ScoreCount& score) { return sum + score.*count; });
}

// The first bucket of interest: at most one percent of the best scores, and of the results, lie below it.
std::uint64_t first_of_interest(const std::vector<db::ScoreCount>& scores) {
  const std::uint64_t few_lists = sum_of(scores, &db::ScoreCount::lists) / 100;
  const std::uint64_t few_pairs = sum_of(scores, &db::ScoreCount::pairs) / 100;
  db::ScoreCount below;
  for (const db::ScoreCount& score : scores) {
    below.lists += score.lists;
    below.pairs += score.pairs;
    if (below.lists > few_lists || below.pairs > few_pairs) return score.bucket;
  }
  return scores.front().bucket;
}

// The first row combines everything below the second.
std::vector<Row> rows_of(const std::vector<db::ScoreCount>& scores) {
  if (scores.empty()) return {};
  const std::uint64_t first = first_of_interest(scores);
  const auto span = static_cast<std::size_t>(scores.back().bucket - first) + 1;
  const std::size_t together = (span + max_rows - 1) / max_rows;
  std::vector<Row> rows(1 + (span + together - 1) / together);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    rows[i].from = miner::ScoreHistogram::lower_bound(static_cast<std::size_t>(first) + (i - 1) * together);
  }
  for (const db::ScoreCount& score : scores) {
    Row& row =
        score.bucket < first ? rows[0] : rows[1 + static_cast<std::size_t>(score.bucket - first) / together];
    row.lists += score.lists;
    row.pairs += score.pairs;
  }
  if (rows[0].lists + rows[0].pairs == 0) rows.erase(rows.begin());
  return rows;
}

std::string percent_of(std::uint64_t part, std::uint64_t whole) {
  char text[32];
  const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  std::snprintf(text, sizeof text, "%.1f %%", share);
  return text;
}

}  // namespace

void print_line_totals(std::ostream& out, const LineTotals& totals) {
  out << counted(totals.lines, "line") << ": " << grouped(totals.selected) << " selected, "
      << grouped(totals.unselected) << " unselected, " << grouped(totals.rejected_total()) << " rejected\n";
  for (const auto& [reason, lines] : totals.rejected) {
    out << "          rejected " << grouped(lines) << ": " << escaped(reason) << '\n';
  }
}

Json line_totals_json(const LineTotals& totals) {
  return {{"lines", totals.lines},
          {"selected", totals.selected},
          {"unselected", totals.unselected},
          {"rejected", totals.rejected},
          {"nul_bytes", totals.nul_bytes}};
}

iteration::IterationContext iteration_context(const CommandContext& context, db::Store& reading,
                                              db::WritableState& state) {
  return {reading, state.store, state.bank, context.settings(), context.clock(), context.progress()};
}

void say_what_is_read_anew(const CommandContext& context, const std::string& place,
                           const std::optional<markup::Options>& before,
                           const std::optional<markup::Options>& now) {
  if (!before || !now || *before == *now || context.quiet()) return;
  context.err()
      << Verbatim{escaped(place)} << ": its texts were read with [text] "
      << Verbatim{iteration::shown_options(*before)} << ", and are all read again with "
      << Verbatim{iteration::shown_options(*now)}
      << "; what was decided on texts that change by it is decided anew. If that was not meant, import "
         "again with the config that has the former (--config), before an iteration or an export\n";
}

Result<std::optional<db::IterationRecord>> iterate(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::IterationRecord> iteration,
                          iteration::run_iteration(iteration_context(context, reading, *state)));
  note_iteration(context, iteration);
  return iteration;
}

void note_iteration(const CommandContext& context, const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) return context.note_done({});
  const db::IterationCounts& counts = iteration->counts;
  context.note_done({{"iteration", static_cast<std::uint64_t>(iteration->id)},
                     {"lines", counts.lines},
                     {"questions", counts.ids},
                     {"deletions", counts.deletions},
                     {"withdrawn", counts.withdrawn}});
}

void print_iteration(std::ostream& out, const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) {
    out << "iterate   nothing new to decide; no iteration was made\n";
    return;
  }
  const db::IterationCounts& counts = iteration->counts;
  out << "merge     " << counted(counts.distinct_lists, "distinct list") << " with "
      << counted(counts.ids, "question") << ": " << counted(counts.clusters, "cluster") << ", the largest of "
      << grouped(counts.largest_cluster) << "; " << counted(counts.refused_joins, "join") << " refused\n"
      << "refine    " << counted(counts.deletions, "duplicate") << "; " << counted(counts.missing, "question")
      << " not in the bank\n";
  if (counts.ids > 0 && counts.missing * 2 > counts.ids) {
    out << "          most questions of the logs are not in the bank: was all of it imported?\n";
  }
  print_outcome(out, *iteration);
}

void show_iteration(const CommandContext& context, const std::optional<db::IterationRecord>& iteration) {
  if (context.json()) return print_json(context.out(), iteration_json(iteration));
  print_iteration(context.words(), iteration);
}

void print_outcome(std::ostream& out, const db::IterationRecord& iteration) {
  const db::IterationCounts& counts = iteration.counts;
  if (counts.withdrawn + counts.repointed + counts.held > 0) {
    out << "earlier   " << counted(counts.withdrawn, "deletion") << " withdrawn, "
        << grouped(counts.repointed) << " re-pointed, " << counted(counts.held, "keeper") << " held\n";
  }
  if (iteration.withheld) {
    out << "          more than [review] max_deletions_per_iteration: held until `qdedup review release "
        << iteration.id << "`\n";
  }
  out << "iteration " << iteration.id << ": " << counted(counts.deletions, "question") << " to delete"
      << (counts.deletions > 0 ? "; see them with: qdedup export\n" : "\n");
}

std::vector<std::pair<std::string, std::string>> settings_of(const db::IterationRecord& iteration) {
  std::vector<std::pair<std::string, std::string>> settings;
  const Json json = parse_own_json(iteration.settings);
  for (const auto& [name, value] : json.items()) {
    settings.emplace_back(name, value.is_string() ? value.get<std::string>() : json_text(value));
  }
  settings.emplace_back("weights", iteration.weights);
  return settings;
}

Json iteration_json(const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) return nullptr;
  Json json = {{"id", iteration->id},
               {"kind", iteration->kind},
               {"started_at", iteration->started_at},
               {"finished_at", iteration->finished_at},
               {"version", iteration->version},
               {"settings", parse_own_json(iteration->settings)},
               {"weights", iteration->weights}};
  for (const auto& [name, count] : db::count_columns) json[name] = iteration->counts.*count;
  json["withheld"] = iteration->withheld;
  json["released_at"] = iteration->released_at;
  json["released_by"] = iteration->released_by;
  return json;
}

void print_scores(std::ostream& out, const std::vector<db::ScoreCount>& scores) {
  const std::vector<Row> rows = rows_of(scores);
  if (rows.empty()) {
    out << "No scores yet; `qdedup mine LOG` reads some.\n";
    return;
  }
  const std::uint64_t total = sum_of(scores, &db::ScoreCount::lists);
  const std::uint64_t longest = std::ranges::max(rows, {}, &Row::lists).lists;
  out << "Best scores of " << grouped(total) << " searches; results of one search in "
      << miner::ScoreHistogram::lists_per_sample << ".\n"
      << "score from      searches  at least this       results\n";
  std::uint64_t remaining = total;
  for (const Row& row : rows) {
    const std::size_t bar = longest == 0 ? 0 : static_cast<std::size_t>(row.lists * bar_width / longest);
    out << std::setw(10) << significant(row.from) << std::setw(14) << grouped(row.lists) << std::setw(15)
        << percent_of(remaining, total) << std::setw(14) << grouped(row.pairs) << (bar > 0 ? "  " : "")
        << std::string(bar, '#') << '\n';
    remaining -= row.lists;
  }
}

Json scores_json(const std::vector<db::ScoreCount>& scores) {
  Json json = Json::array();
  for (const db::ScoreCount& score : scores) {
    json.push_back({{"from", miner::ScoreHistogram::lower_bound(static_cast<std::size_t>(score.bucket))},
                    {"lists", score.lists},
                    {"pairs", score.pairs}});
  }
  return json;
}

}  // namespace qdedup::cli
