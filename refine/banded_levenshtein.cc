#include "refine/banded_levenshtein.h"

#include <cstdint>

namespace qdedup::refine {

Band levenshtein_band(std::size_t limit, std::size_t surplus) {
  return {.above = (limit + surplus) / 2, .below = (limit - surplus) / 2};
}

// Bit i is the cell in row column - above + i, so a diagonal keeps its bit. Rows above the table count as
// cells too, where all vertical differences are 0; that gives the first row of the table its values 0, 1, 2,
// …
std::size_t banded_levenshtein(std::u32string_view pattern, std::u32string_view text, std::size_t limit,
                               Band band) {
  const BandWindow window(pattern, text.size(), band);
  const std::size_t last_diagonal = band.above - (text.size() - pattern.size());
  std::uint64_t rises = ~std::uint64_t{0} << band.above;  // where a cell is one more than the cell above it
  std::uint64_t falls = 0;                                // where it is one less
  std::size_t distance = 0;                               // in the cell on the last diagonal
  for (std::size_t column = 0; column < text.size(); ++column) {
    const std::uint64_t equal = window.matches(column, text[column]);
    const std::uint64_t free_step = (((equal & rises) + rises) ^ rises) | equal | falls;
    distance += (free_step >> last_diagonal & 1U) ^ 1U;
    if (distance > limit) return limit + 1;
    const std::uint64_t right_rises = falls | ~(free_step | rises);
    const std::uint64_t right_falls = free_step & rises;
    rises = right_falls | ~(free_step >> 1 | right_rises);
    falls = free_step >> 1 & right_rises;
  }
  return distance;
}

}  // namespace qdedup::refine
