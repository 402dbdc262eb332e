#include "refine/banded_lcs.h"

#include <cstdint>

namespace qdedup::refine {

Band lcs_band(std::size_t limit, std::size_t surplus) { return {.above = limit, .below = limit - surplus}; }

// Bit i is the cell in row column - above + i; it is set where the cell is the same as the cell above it. The
// carry out of a column is what the lowest row of the band gains in it.
std::size_t banded_lcs(std::u32string_view pattern, std::u32string_view text, std::size_t limit, Band band) {
  constexpr std::uint64_t lowest_row = std::uint64_t{1} << 63;
  const BandWindow window(pattern, text.size(), band);
  std::uint64_t level = ~std::uint64_t{0};
  std::size_t unmatched = 0;
  for (std::size_t column = 0; column < text.size(); ++column) {
    const std::uint64_t gains = level & window.matches(column, text[column]);
    const std::uint64_t sum = level + gains;
    if (sum >= level) ++unmatched;
    if (unmatched > limit) return limit + 1;
    level = (sum | (level - gains)) >> 1 | lowest_row;
  }
  return unmatched;
}

}  // namespace qdedup::refine
