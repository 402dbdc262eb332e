#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// Mixes all bits of a number (the finalizer of splitmix64, Steele, Lea, Flood, OOPSLA 2014).
inline std::uint64_t mixed_bits(std::uint64_t value) {
  value = (value ^ value >> 30U) * 0xBF58476D1CE4E5B9U;
  value = (value ^ value >> 27U) * 0x94D049BB133111EBU;
  return value ^ value >> 31U;
}

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
