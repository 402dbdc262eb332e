#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <unicode/utf8.h>

#include "base/utf8_block.h"

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

// Writes the code points of a text, malformed sequences as above, to `room` for as many as the text has
// bytes. Returns their end.
inline char32_t* decode(std::string_view text, char32_t* room) {
  constexpr std::size_t behind = 2;                      // bytes that a block looks at, but does not hold
  std::array<char, Utf8Block::max_bytes + behind> copy;  // NOLINT(*-member-init): of the end of the text
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t left = text.size() - at;
    const char* bytes = text.data() + at;
    if (left < copy.size()) {
      std::memset(copy.data(), 0, copy.size());
      std::memcpy(copy.data(), bytes, left);
      bytes = copy.data();
    }
    const Utf8Block block(bytes, std::min(left, Utf8Block::max_bytes));
    room = block.decode(bytes, room);
    at += block.size();
    if (block.size() == 0) *room++ = next_code_point(text, at);
  }
  return room;
}

}  // namespace qdedup::refine
