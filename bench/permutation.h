#pragma once

#include <bit>
#include <cstdint>

#include "bench/random_stream.h"

namespace qdedup::bench {

// A permutation of 0 … size-1 that takes no memory: a Feistel network over the next even power of two, walked
// until it comes back into the range (J. Black and P. Rogaway, "Ciphers with arbitrary finite domains",
// CT-RSA 2002).
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed)
      : size_(size), half_bits_((static_cast<unsigned>(std::bit_width(size | 2U)) + 1) / 2) {
    RandomStream keys(seed, RandomStream::Purpose::permutation, size);
    for (std::uint64_t& key : keys_) key = keys.bits();
  }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const {
    do x = encrypted(x);
    while (x >= size_);
    return x;
  }

  [[nodiscard]] std::uint64_t inverse(std::uint64_t x) const {
    do x = decrypted(x);
    while (x >= size_);
    return x;
  }

 private:
  static constexpr int rounds = 4;

  [[nodiscard]] std::uint64_t mask() const { return (std::uint64_t{1} << half_bits_) - 1; }
  [[nodiscard]] std::uint64_t round(std::uint64_t half, int number) const {
    const std::uint64_t product = (half ^ keys_[number]) * 0x9E3779B97F4A7C15U;
    return (product ^ product >> 29U) >> 8U & mask();
  }

  [[nodiscard]] std::uint64_t encrypted(std::uint64_t x) const {
    std::uint64_t left = x >> half_bits_;
    std::uint64_t right = x & mask();
    for (int i = 0; i < rounds; ++i) {
      const std::uint64_t next = left ^ round(right, i);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  [[nodiscard]] std::uint64_t decrypted(std::uint64_t x) const {
    std::uint64_t left = x >> half_bits_;
    std::uint64_t right = x & mask();
    for (int i = rounds; i-- > 0;) {
      const std::uint64_t before = right ^ round(left, i);
      right = left;
      left = before;
    }
    return left << half_bits_ | right;
  }

  std::uint64_t size_;
  unsigned half_bits_;
  std::uint64_t keys_[rounds] = {};
};

}  // namespace qdedup::bench
