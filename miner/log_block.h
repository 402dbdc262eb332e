#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_totals.h"
#include "miner/line_parser.h"
#include "miner/result_list.h"
#include "miner/score_histogram.h"
#include "miner/seed_lists.h"

namespace qdedup::miner {

// What became of log lines, while they are mined. lines == selected + unselected + sum(rejected), always.
struct LineCounts {
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
  std::uint64_t unselected = 0;
  std::uint64_t nul_bytes = 0;
  std::array<std::uint64_t, rejection_count> rejected{};  // by Rejection
  ScoreHistogram scores;                                  // of lines that were not rejected
  // The beginning of the first line with each Rejection, followed by "…" if it is longer.
  std::array<std::string, rejection_count> first_rejected;

  [[nodiscard]] LineTotals totals() const;
  LineCounts& operator+=(const LineCounts& other);
  friend bool operator==(const LineCounts&, const LineCounts&) = default;
};

// Mines lines one at a time. The parser must outlive it.
class LineMiner {
 public:
  LineMiner(const LineParser& parser, const SelectionSettings& settings)
      : parser_(parser), settings_(settings) {}

  // Appends the line's list to `lists` if it is selected, and counts the line (without newline). Skips NUL
  // bytes at its start, where a log that was truncated under its writer has them.
  void mine(std::string_view line, SeedLists& lists, LineCounts& counts);

 private:
  const LineParser& parser_;
  SelectionSettings settings_;
  std::vector<ScoredId> pairs_;
  SeedList seed_;
};

// Appends the selected lists of `block`, which consists of whole lines, to `lists`, and counts each line
// once. Linear. Never counts too_long: see LineBlock::too_long_lines in logs/line_cutter.h.
void mine_block(std::string_view block, const LineParser& parser, const SelectionSettings& settings,
                SeedLists& lists, LineCounts& counts);

}  // namespace qdedup::miner
