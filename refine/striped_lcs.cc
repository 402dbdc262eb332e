#include "refine/striped_lcs.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "refine/stripe_masks.h"

namespace qdedup::refine {
namespace {

// Goes one column to the right in a stripe. `level` has a bit set in each row that is the same as the row
// above it; `gain`, 0 or 1, is what the row above the stripe gains in this column. Returns what the last row
// gains.
std::uint64_t advance(std::uint64_t& level, std::uint64_t equal, std::uint64_t gain) {
  const std::uint64_t gaining = level & equal;
  const std::uint64_t sum = level + gaining;
  const std::uint64_t sum_with_gain = sum + gain;
  const bool carry = sum < level || sum_with_gain < sum;
  level = sum_with_gain | (level - gaining);
  return carry ? 1 : 0;
}

}  // namespace

std::size_t striped_lcs(std::u32string_view pattern, std::u32string_view text, std::size_t limit, Band band) {
  std::vector<std::uint8_t> gains(text.size(), 0);  // of the last row of the stripe above, in each column
  std::size_t common = 0;
  for (std::size_t row = 0; row < pattern.size(); row += StripeMasks::max_rows) {
    const std::u32string_view rows = pattern.substr(row, StripeMasks::max_rows);
    const std::size_t begin = row - std::min(row, band.below);
    const std::size_t end = std::min(text.size(), row + rows.size() + band.above);
    const StripeMasks masks(rows);
    std::uint64_t level = ~std::uint64_t{0};
    for (std::size_t column = begin; column < end; ++column) {
      const std::uint64_t equal = masks.rows_with(text[column]);
      gains[column] = static_cast<std::uint8_t>(advance(level, equal, gains[column]));
    }
    common = std::accumulate(gains.begin(), gains.end(), std::size_t{0});
    const std::size_t unmatched_rows = row + rows.size() - common;
    if (unmatched_rows > band.below) return limit + 1;
  }
  return text.size() - common;
}

}  // namespace qdedup::refine
