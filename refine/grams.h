#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/mixed_bits.h"

namespace qdedup::refine {

// Hashes of all runs of `size` characters, in order, or of the whole text if it is shorter. Empty for an
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

}  // namespace qdedup::refine
