#include "miner/log_block.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace qdedup::miner {
namespace {

std::string_view without_leading_nul_bytes(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of('\0'), line.size()));
  return line;
}

// Takes the first line off the block.
std::string_view take_line(std::string_view& block) {
  const std::size_t length = std::min(block.find('\n'), block.size());
  const std::string_view line = block.substr(0, length);
  block.remove_prefix(std::min(length + 1, block.size()));
  return line;
}

}  // namespace

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  lines += other.lines;
  selected += other.selected;
  unselected += other.unselected;
  nul_bytes += other.nul_bytes;
  for (std::size_t i = 0; i < rejected.size(); ++i) rejected[i] += other.rejected[i];
  scores += other.scores;
  return *this;
}

void mine_block(std::string_view block, const LineParser& parser, const SelectionSettings& settings,
                SeedLists& lists, LineCounts& counts) {
  std::vector<ScoredId> pairs;
  SeedList seed;
  while (!block.empty()) {
    const std::string_view whole_line = take_line(block);
    const std::string_view line = without_leading_nul_bytes(whole_line);
    ++counts.lines;
    counts.nul_bytes += whole_line.size() - line.size();
    if (const std::optional<Rejection> rejection = parser.parse(line, pairs)) {
      ++counts.rejected.at(static_cast<std::size_t>(*rejection));
      continue;
    }
    counts.scores.add(pairs);
    if (select(pairs, settings, seed)) {
      ++counts.selected;
      lists.append(seed.top_score, seed.ids);
    } else {
      ++counts.unselected;
    }
  }
}

}  // namespace qdedup::miner
