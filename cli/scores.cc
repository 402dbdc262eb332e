#include "cli/scores.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <numeric>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/console.h"
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

std::uint64_t lists_of(const std::vector<db::ScoreCount>& scores) {
  return std::accumulate(scores.begin(), scores.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const db::ScoreCount& score) { return sum + score.lists; });
}

// The first bucket of interest: at most one percent of the best scores lie below it.
std::uint64_t first_of_interest(const std::vector<db::ScoreCount>& scores) {
  const std::uint64_t few = lists_of(scores) / 100;
  std::uint64_t below = 0;
  for (const db::ScoreCount& score : scores) {
    below += score.lists;
    if (below > few) return score.bucket;
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

void print_scores(std::ostream& out, const std::vector<db::ScoreCount>& scores) {
  const std::vector<Row> rows = rows_of(scores);
  if (rows.empty()) {
    out << "No scores yet; `qdedup mine LOG` reads some.\n";
    return;
  }
  const std::uint64_t total = lists_of(scores);
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
