#include "import/cell_texts.h"

#include <charconv>
#include <system_error>

#include "import/workbook_limits.h"
#include "refine/unicode.h"

namespace qdedup::import {
namespace {

// The character of "_x000D_" at the beginning of a text, as UTF-8; empty if there is none. Some programs
// leave what could stand there as it is (_x0061_) as it is.
std::string escaped_character(std::string_view text) {
  constexpr std::size_t length = 7;
  if (text.size() < length || !text.starts_with("_x") || text[length - 1] != '_') return {};
  unsigned code = 0;
  const char* const end = text.data() + length - 1;
  const auto parsed = std::from_chars(text.data() + 2, end, code, 16);
  const bool is_needed = (code > 0 && code < ' ') || code == '_' || code == 0xFFFE || code == 0xFFFF;
  if (parsed.ec != std::errc() || parsed.ptr != end || !is_needed) return {};
  return refine::to_utf8(std::u32string(1, static_cast<char32_t>(code)));
}

}  // namespace

std::string without_escapes(std::string&& text) {
  if (text.find("_x") == std::string::npos) return std::move(text);
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::string character = escaped_character(std::string_view(text).substr(at));
    if (character.empty()) {
      plain += text[at++];
    } else {
      plain += character;
      at += 7;
    }
  }
  return plain;
}

bool is_longer_than_a_cell(std::string_view text) {
  if (text.size() <= workbook_limits::cell_units) return false;
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0U) == 0x80U ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return units > workbook_limits::cell_units;
}

}  // namespace qdedup::import
