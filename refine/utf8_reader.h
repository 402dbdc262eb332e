#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unicode/utf8.h>

#include "base/three_byte_run.h"

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

// Writes the code points of a text, malformed sequences as above, to `room` for four more than the text has
// bytes. Returns their end.
inline char32_t* decode(std::string_view text, char32_t* room) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      *room++ = static_cast<unsigned char>(text[at++]);
    } else if (const std::size_t count = three_byte_run::decode(text.substr(at), room); count > 0) {
      at += 3 * count;
      room += count;
    } else {
      *room++ = next_code_point(text, at);
    }
  }
  return room;
}

}  // namespace qdedup::refine
