#include "cli/printable.h"

#include "refine/unicode.h"

namespace qdedup::cli {
namespace {

bool is_control(char32_t c) { return (c < 0x20 && c != U'\n' && c != U'\t') || (c >= 0x7F && c < 0xA0); }

}  // namespace

std::string printable(std::string_view text) {
  std::u32string characters = refine::to_utf32(text);
  for (char32_t& character : characters) {
    if (is_control(character)) character = U'\uFFFD';
  }
  return refine::to_utf8(characters);
}

}  // namespace qdedup::cli
