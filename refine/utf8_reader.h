#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <unicode/utf8.h>

namespace qdedup::refine {

// The code point at `at` < text.size(), which moves past it. A malformed sequence is read as one U+FFFD; what
// belongs to one sequence is the longest start of a well-formed one (Unicode 15, section 3.9, "maximal
// subparts").
inline char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  UChar32 code_point = 0;
  U8_NEXT_OR_FFFD(bytes, at, size, code_point);
  return static_cast<char32_t>(code_point);
}

// The code point at `at` if it takes three bytes, as nearly all that are not ASCII do in Chinese, and these
// are no special case; or 0.
inline char32_t three_bytes_at(std::string_view text, std::size_t at) {
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");
  if (text.size() - at < 3) return 0;
  std::uint32_t word = 0;
  if (text.size() - at > 3) {
    std::memcpy(&word, text.data() + at, 4);
  } else {
    std::memcpy(&word, text.data() + at, 3);
  }
  if ((word & 0x00C0C0F0U) != 0x008080E0U) return 0;
  const char32_t code_point = (word & 0xFU) << 12U | (word >> 2U & 0xFC0U) | (word >> 16U & 0x3FU);
  const bool surrogate = code_point >> 11U == 0x1B;
  return code_point >= 0x1000 && !surrogate ? code_point : 0;  // below may be longer than need be
}

}  // namespace qdedup::refine
