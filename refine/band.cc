#include "refine/band.h"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

}  // namespace

BandWindow::BandWindow(std::u32string_view pattern, std::size_t columns, Band band)
    : groups_((band.width() + group_size - 1) / group_size),
      size_(std::max(band.above + pattern.size(), columns + groups_ * group_size)),
      cells_(size_) {
  char32_t* const begin = std::fill_n(cells_.data(), band.above, no_code_point);
  char32_t* const end = std::copy(pattern.begin(), pattern.end(), begin);
  std::fill(end, cells_.data() + size_, no_code_point);
}

std::uint64_t BandWindow::matches(std::size_t column, char32_t code_point) const {
  std::uint64_t matches = 0;
  for (std::size_t group = 0; group < groups_; ++group) {
    matches |= equal_16(cells_.data() + column + group * group_size, code_point) << (group * group_size);
  }
  return matches;
}

}  // namespace qdedup::refine
