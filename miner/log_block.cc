#include "miner/log_block.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"

namespace qdedup::miner {
namespace {

std::string_view without_leading_nul_bytes(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of('\0'), line.size()));
  return line;
}

constexpr std::size_t longest_shown = 80;

}  // namespace

LineTotals LineCounts::totals() const {
  LineTotals totals{lines, selected, unselected, {}, nul_bytes};
  for (std::size_t i = 0; i < rejection_count; ++i) {
    if (rejected[i] > 0) totals.rejected.emplace(name(static_cast<Rejection>(i)), rejected[i]);
  }
  return totals;
}

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  lines += other.lines;
  selected += other.selected;
  unselected += other.unselected;
  nul_bytes += other.nul_bytes;
  for (std::size_t i = 0; i < rejected.size(); ++i) {
    rejected[i] += other.rejected[i];
    if (first_rejected[i].empty()) first_rejected[i] = other.first_rejected[i];
  }
  scores += other.scores;
  return *this;
}

void LineMiner::mine(std::string_view whole_line, SeedLists& lists, LineCounts& counts) {
  const std::string_view line = without_leading_nul_bytes(whole_line);
  ++counts.lines;
  counts.nul_bytes += whole_line.size() - line.size();
  if (const std::optional<Rejection> rejection = parser_.parse(line, pairs_)) {
    const auto reason = static_cast<std::size_t>(*rejection);
    ++counts.rejected.at(reason);
    if (counts.first_rejected.at(reason).empty())
      counts.first_rejected.at(reason) = shortened(line, longest_shown);
    return;
  }
  counts.scores.add(pairs_);
  if (select(pairs_, settings_, seed_)) {
    ++counts.selected;
    lists.append(seed_.top_score, seed_.ids);
  } else {
    ++counts.unselected;
  }
}

void mine_block(std::string_view block, const LineParser& parser, const SelectionSettings& settings,
                SeedLists& lists, LineCounts& counts) {
  LineMiner miner(parser, settings);
  while (!block.empty()) miner.mine(take_until(block, '\n'), lists, counts);
}

}  // namespace qdedup::miner
