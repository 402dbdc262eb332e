#pragma once

#include <bit>
#include <cstdint>

namespace qdedup::miner {

// Ascends while finite scores descend. Both zeros are the same score.
inline std::uint64_t score_key(double score) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  return (bits & sign) != 0 ? bits : ~(bits | sign);
}

}  // namespace qdedup::miner
