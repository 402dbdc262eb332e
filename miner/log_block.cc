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

// Removes the first line from the block.
std::string_view take_line(std::string_view& block) {
  const std::size_t length = std::min(block.find('\n'), block.size());
  const std::string_view line = block.substr(0, length);
  block.remove_prefix(std::min(length + 1, block.size()));
  return line;
}

// The first few characters.
std::string beginning_of(std::string_view line) {
  constexpr std::size_t most_bytes = 80;
  constexpr std::size_t longest_character = 4;
  if (line.size() <= most_bytes) return std::string(line);
  const auto is_within_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80;
  };
  std::size_t size = most_bytes;
  while (is_within_character(size) && size > most_bytes - longest_character) --size;
  return std::string(line.substr(0, size)) + "…";
}

}  // namespace

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
      const auto reason = static_cast<std::size_t>(*rejection);
      ++counts.rejected.at(reason);
      if (counts.first_rejected.at(reason).empty()) counts.first_rejected.at(reason) = beginning_of(line);
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
