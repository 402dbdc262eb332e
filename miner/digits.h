#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/ascii.h"

namespace qdedup::miner {

static_assert(std::endian::native == std::endian::little, "words are read with the first byte lowest");

inline constexpr auto powers_of_ten = [] {
  std::array<std::int64_t, 19> powers = {1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Eight bytes of text as a word, first byte lowest; digits become their values.
inline std::uint64_t digit_word(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return word ^ 0x3030303030303030U;
}

// Has the top bit set in the bytes of a digit word that are not digits, at least up to the first of them.
inline std::uint64_t other_bytes(std::uint64_t word) {
  return ((word + 0x7676767676767676U) | word) & 0x8080808080808080U;
}

// The number of digits before the first of the eight bytes of a digit word that is not one.
inline std::size_t leading_digits(std::uint64_t word) {
  return static_cast<std::size_t>(std::countr_zero(other_bytes(word))) / 8;
}

// The number whose digits are the eight bytes, first byte first: neighbours are paired three times (D.
// Lemire, "Quickly parsing eight digits", 2018).
inline std::uint64_t eight_digits(std::uint64_t word) {
  constexpr std::uint64_t mask = 0x000000FF000000FFU;
  const std::uint64_t pairs = word * 10 + (word >> 8U);
  return ((pairs & mask) * (100 + (std::uint64_t{1000000} << 32U)) +
          ((pairs >> 16U) & mask) * (1 + (std::uint64_t{10000} << 32U))) >>
         32U;
}

// The first `count` of the eight bytes, at most seven, preceded by zeros.
inline std::uint64_t first_bytes(std::uint64_t word, std::size_t count) {
  return word << 8U << (56 - 8 * count);
}

// The number whose digits are the first `count` of the eight bytes, at most seven.
inline std::uint64_t first_digits(std::uint64_t word, std::size_t count) {
  return eight_digits(first_bytes(word, count));
}

}  // namespace qdedup::miner
