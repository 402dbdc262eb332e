#pragma once

#include <cstdint>

namespace qdedup::finder {

// A good mix of all bits of a number (the finalizer of splitmix64, Steele, Lea, Flood, OOPSLA 2014).
inline std::uint64_t mixed_bits(std::uint64_t value) {
  value = (value ^ value >> 30U) * 0xBF58476D1CE4E5B9U;
  value = (value ^ value >> 27U) * 0x94D049BB133111EBU;
  return value ^ value >> 31U;
}

}  // namespace qdedup::finder
