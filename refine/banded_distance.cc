#include <algorithm>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "refine/distance_kernels.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

#if defined(__SSE2__)

__m128i equal_4(const char32_t* cells, __m128i code_point) {
  return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(cells)), code_point);
}

std::uint64_t equal_16(const char32_t* cells, char32_t code_point) {
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(code_point));
  const __m128i low = _mm_packs_epi32(equal_4(cells, wanted), equal_4(cells + 4, wanted));
  const __m128i high = _mm_packs_epi32(equal_4(cells + 8, wanted), equal_4(cells + 12, wanted));
  return static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}

#else

std::uint64_t equal_16(const char32_t* cells, char32_t code_point) {
  std::uint64_t equal = 0;
  for (std::size_t i = 0; i < 16; ++i) equal |= std::uint64_t{cells[i] == code_point} << i;
  return equal;
}

#endif

// Slides a pattern along a band of at most max_band_width diagonals and finds where it matches the text, one
// column at a time. No table of the pattern is needed: its code points in the band are compared all at once.
class BandWindow {
 public:
  BandWindow(std::u32string_view pattern, std::size_t columns, Band band)
      : groups_((band.width() + group_size - 1) / group_size),
        size_(std::max(band.above + pattern.size(), columns + groups_ * group_size)),
        cells_(size_) {
    char32_t* const begin = std::fill_n(cells_.data(), band.above, no_code_point);
    char32_t* const end = std::copy(pattern.begin(), pattern.end(), begin);
    std::fill(end, cells_.data() + size_, no_code_point);
  }

  // Bit i is set if the pattern has `code_point` in row `column` - above + i; not set
  // outside the pattern. Bits beyond the width of the band are undefined.
  [[nodiscard]] std::uint64_t matches(std::size_t column, char32_t code_point) const {
    std::uint64_t matches = 0;
    for (std::size_t group = 0; group < groups_; ++group) {
      matches |= equal_16(cells_.data() + column + group * group_size, code_point) << (group * group_size);
    }
    return matches;
  }

 private:
  static constexpr std::size_t group_size = 16;  // code points compared at once
  static constexpr char32_t no_code_point = 0xFFFFFFFF;

  std::size_t groups_;
  std::size_t size_;
  Scratch<256> cells_;  // the pattern between paddings
};

}  // namespace

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
