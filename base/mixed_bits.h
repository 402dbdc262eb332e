#pragma once

#include <cstdint>

namespace qdedup {

// Mixes all bits of a number: the finaliser of SplitMix64 (G. L. Steele et al., "Fast splittable pseudorandom
// number generators", OOPSLA 2014).
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

}  // namespace qdedup
