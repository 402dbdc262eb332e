#include "refine/unicode.h"

#include <cstddef>

#include <unicode/utf8.h>

#include "refine/decoded_text.h"

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

}  // namespace

std::u32string to_utf32(std::string_view text) { return std::u32string(DecodedText(text).code_points()); }

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t code_point : text) append(bytes, code_point);
  return bytes;
}

}  // namespace qdedup::refine
