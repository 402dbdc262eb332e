#pragma once

#include <cstddef>
#include <cstdint>
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
  if (text.size() - at < 3) return 0;
  const auto lead = static_cast<unsigned char>(text[at]);
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const auto third = static_cast<unsigned char>(text[at + 2]);
  const bool fits = ((second ^ 0x80U) | (third ^ 0x80U)) < 0x40 && lead > 0xE0 && lead < 0xF0 && lead != 0xED;
  return fits ? (lead & 0xFU) << 12U | (second & 0x3FU) << 6U | (third & 0x3FU) : 0;
}

}  // namespace qdedup::refine
