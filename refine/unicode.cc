#include "refine/unicode.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <unicode/utf8.h>

#include "base/utf8.h"

namespace qdedup::refine {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

void append(std::string& bytes, char32_t code_point) {
  char sequence[U8_MAX_LENGTH];
  std::size_t length = 0;
  bool failed = false;
  U8_APPEND(sequence, length, U8_MAX_LENGTH, static_cast<std::uint32_t>(code_point), failed);
  bytes += failed ? replacement_character : std::string_view(sequence, length);
}

// The code point at `at` < text.size(), which moves past it.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  UChar32 code_point = 0;
  U8_NEXT_OR_FFFD(bytes, at, size, code_point);
  return static_cast<char32_t>(code_point);
}

// Writes the code points of a text to `room`, which holds as many as the text has bytes. Returns their end.
char32_t* decode(std::string_view text, char32_t* room) {
  constexpr std::size_t lookahead = 2;                      // bytes after its own that a block reads
  std::array<char, Utf8Block::max_bytes + lookahead> copy;  // NOLINT(*-member-init): of the end of the text
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

}  // namespace

std::u32string to_utf32(std::string_view text) { return std::u32string(DecodedText(text).code_points()); }

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t code_point : text) append(bytes, code_point);
  return bytes;
}

DecodedText::DecodedText(std::string_view text)
    : room_(text.size()), size_(static_cast<std::size_t>(decode(text, room_.data()) - room_.data())) {}

}  // namespace qdedup::refine
