#pragma once

#include <cstdint>

#include "base/mixed_bits.h"

namespace qdedup::bench {

// SplitMix64. Streams of the same seed, purpose and index are the same, others are independent: whatever is
// made of question or line `index` needs nothing that was made before it.
class RandomStream {
 public:
  enum class Purpose : std::uint8_t { permutation, id, topic, question, edit, results, scores, layout };

  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t index)
      : state_(mixed_bits(mixed_bits(seed + step * (1U + static_cast<std::uint64_t>(purpose))) +
                          step * index)) {}

  std::uint64_t bits() { return mixed_bits(state_ += step); }

  // Below `limit`, which is at most 2^32.
  std::uint64_t below(std::uint64_t limit) { return ((bits() >> 32U) * limit) >> 32U; }

  // From 0 up to, but not, 1.
  double fraction() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t step = 0x9E3779B97F4A7C15U;

  std::uint64_t state_;
};

}  // namespace qdedup::bench
