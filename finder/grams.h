#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "finder/mixed_bits.h"

namespace qdedup::finder {

// Hashes of all stretches of `size` characters, in order; of the whole text where it is shorter. None of an
// empty text.
inline std::vector<std::uint64_t> gram_hashes(std::u32string_view text, std::size_t size) {
  std::vector<std::uint64_t> hashes;
  if (text.empty()) return hashes;
  const std::size_t length = text.size() < size ? text.size() : size;
  for (std::size_t at = 0; at + length <= text.size(); ++at) {
    std::uint64_t hash = length;
    for (const char32_t c : text.substr(at, length)) hash = mixed_bits(hash + c + 0x9E3779B97F4A7C15U);
    hashes.push_back(hash);
  }
  return hashes;
}

}  // namespace qdedup::finder
