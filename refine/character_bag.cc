#include "refine/character_bag.h"

#include <algorithm>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace qdedup::refine {

CharacterBag::CharacterBag(std::u32string_view text) {
  for (const char32_t c : text) {
    std::uint8_t& count = counts_[(c * 0x9E3779B1U) >> 26U];
    if (count < std::numeric_limits<std::uint8_t>::max()) ++count;
  }
}

#if defined(__SSE2__)

std::size_t CharacterBag::least_distance(const CharacterBag& other) const {
  const __m128i zero = _mm_setzero_si128();
  __m128i more = zero;
  __m128i less = zero;
  for (std::size_t i = 0; i < size; i += 16) {
    const __m128i a = _mm_load_si128(reinterpret_cast<const __m128i*>(counts_.data() + i));
    const __m128i b = _mm_load_si128(reinterpret_cast<const __m128i*>(other.counts_.data() + i));
    more = _mm_add_epi64(more, _mm_sad_epu8(_mm_subs_epu8(a, b), zero));
    less = _mm_add_epi64(less, _mm_sad_epu8(_mm_subs_epu8(b, a), zero));
  }
  const auto sum = [](__m128i halves) {
    return static_cast<std::size_t>(_mm_cvtsi128_si32(halves)) +
           static_cast<std::size_t>(_mm_extract_epi16(halves, 4));
  };
  return std::max(sum(more), sum(less));
}

#else

std::size_t CharacterBag::least_distance(const CharacterBag& other) const {
  std::size_t more = 0;
  std::size_t less = 0;
  for (std::size_t i = 0; i < size; ++i) {
    more += static_cast<std::size_t>(std::max(0, counts_[i] - other.counts_[i]));
    less += static_cast<std::size_t>(std::max(0, other.counts_[i] - counts_[i]));
  }
  return std::max(more, less);
}

#endif

}  // namespace qdedup::refine
