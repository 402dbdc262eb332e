#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qdedup::finder {

// Parity sketches (finder/parity_sketch.h) of 64, 128, 256 or 512 groups of characters: a longer text needs
// more groups, or any two of its kind look alike. most_sketch_bits() holds for each width.
inline constexpr std::size_t sketch_widths = 4;

inline constexpr std::size_t sketch_words(std::size_t width) { return std::size_t{1} << width; }

// Which width texts of `length` are held with: grows with the length.
inline constexpr std::size_t sketch_width(std::size_t length) {
  constexpr std::array<std::size_t, sketch_widths - 1> ends = {20, 44, 96};
  std::size_t width = 0;
  while (width < ends.size() && length > ends[width]) ++width;
  return width;
}

// Writes sketch_words(width) words.
inline void write_wide_sketch(std::u32string_view text, std::size_t width, std::uint64_t* to) {
  for (std::size_t i = 0; i < sketch_words(width); ++i) to[i] = 0;
  for (const char32_t c : text) {
    const std::uint32_t group = (c * 0x9E3779B1U) >> (26U - width);
    to[group >> 6U] ^= std::uint64_t{1} << (group & 63U);
  }
}

inline std::size_t different_wide_bits(const std::uint64_t* a, const std::uint64_t* b, std::size_t width) {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < sketch_words(width); ++i)
    bits += static_cast<std::size_t>(std::popcount(a[i] ^ b[i]));
  return bits;
}

}  // namespace qdedup::finder
