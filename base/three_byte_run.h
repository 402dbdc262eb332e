#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace qdedup {

// UTF-8 sequences of three bytes, four at a time: Han characters and their punctuation are such, and most of
// a question is. That costs less than to find out the length of each sequence before the next can be looked
// at.
namespace three_byte_run {

inline constexpr std::size_t most = 4;
inline constexpr std::size_t bytes = 3 * most;

// A sequence is 1110xxxx 10xxxxxx 10xxxxxx.
using Block = std::array<unsigned char, bytes>;
inline constexpr Block fixed_bits = {0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0};
inline constexpr Block their_values = {0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80,
                                       0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80};

// As a number in which the first byte is the lowest.
template <class Number>
Number number_at(const unsigned char* from) {
  Number number = 0;
  std::memcpy(&number, from, sizeof number);
  if constexpr (std::endian::native == std::endian::little) return number;
  return sizeof number == 8 ? static_cast<Number>(__builtin_bswap64(number))
                            : static_cast<Number>(__builtin_bswap32(static_cast<std::uint32_t>(number)));
}

// Bits that are not as they have to be in bytes `from` and behind.
template <class Number>
Number wrong_bits(const unsigned char* block, std::size_t from) {
  return (number_at<Number>(block + from) & number_at<Number>(fixed_bits.data() + from)) ^
         number_at<Number>(their_values.data() + from);
}

inline char32_t code_point(const unsigned char* sequence) {
  return (sequence[0] & 0x0FU) << 12U | (sequence[1] & 0x3FU) << 6U | (sequence[2] & 0x3FU);
}

// An overlong form of a code point below U+0800, or a surrogate.
inline bool is_ill_formed(char32_t c) { return ((c & 0xF800U) == 0) | ((c & 0xF800U) == 0xD800U); }

// How many sequences of three bytes `block`, of at least `bytes` bytes, begins with, up to four. Writes four
// code points, of which those count. 0 also where one of the four is ill-formed.
inline std::size_t decode(const unsigned char* block, char32_t* code_points) {
  bool ill_formed = false;
  for (std::size_t i = 0; i < most; ++i) {
    code_points[i] = code_point(block + 3 * i);
    ill_formed |= is_ill_formed(code_points[i]);
  }
  const auto low = wrong_bits<std::uint64_t>(block, 0);
  const auto high = wrong_bits<std::uint32_t>(block, 8);
  if ((low | high) == 0 && !ill_formed) return most;
  const int right_bits = low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
  std::size_t length = static_cast<std::size_t>(right_bits) / 24;
  for (std::size_t i = 0; i < length; ++i) {
    if (is_ill_formed(code_points[i])) length = i;
  }
  return length;
}

// The same at the start of a text of any length.
inline std::size_t decode(std::string_view text, char32_t* code_points) {
  if (text.size() >= bytes) return decode(reinterpret_cast<const unsigned char*>(text.data()), code_points);
  Block block{};
  std::memcpy(block.data(), text.data(), text.size());
  return decode(block.data(), code_points);
}

}  // namespace three_byte_run
}  // namespace qdedup
