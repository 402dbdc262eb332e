#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qdedup::finder {

// Which of 64 groups of characters occur an odd number of times in a text, a bit for each group. A character
// that is put in or left out changes one bit, one that is replaced changes two at most.
inline std::uint64_t parity_sketch(std::u32string_view text) {
  std::uint64_t sketch = 0;
  for (const char32_t c : text) sketch ^= std::uint64_t{1} << ((c * 0x9E3779B1U) >> 26U);
  return sketch;
}

// How many bits two texts within `distance` (of levenshtein_distance or of lcs_distance) can differ in, whose
// lengths differ by `length_difference`: that many characters are put in or left out, and at most
// `distance` - `length_difference` more on either side are without a partner.
inline std::size_t most_sketch_bits(std::size_t distance, std::size_t length_difference) {
  return 2 * distance - length_difference;
}

inline std::size_t different_bits(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::size_t>(std::popcount(a ^ b));
}

}  // namespace qdedup::finder
