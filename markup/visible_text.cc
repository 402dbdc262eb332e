#include "markup/visible_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.h"
#include "base/utf8.h"
#include "markup/marks.h"

namespace qdedup::markup {
namespace {

// The length of the white space that `text` begins with, 0 for anything else. Marks count.
std::size_t length_of_space(std::string_view text) {
  constexpr std::array<std::string_view, 5> others = {"\u00A0", "\u3000", "\u202F", "\u205F", "\uFEFF"};
  if (static_cast<unsigned char>(text[0]) <= ' ') return 1;
  if (text.starts_with("\xE2\x80") && text.size() > 2 && static_cast<unsigned char>(text[2]) <= 0x8B)
    return 3;
  return prefix_in(others, text).size();
}

}  // namespace

bool shows_nothing(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = length_of_space(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool is_wide_space(std::string_view text) {
  constexpr std::string_view zero_width = "\u200B";
  std::size_t narrow = 0;
  while (!text.empty()) {
    const std::size_t length = length_of_space(text);
    if (length == 0) return false;
    const bool is_wide = length > 1 && !text.starts_with(zero_width) && !text.starts_with("\uFEFF");
    narrow += text[0] == ' ' || text[0] == '\t' ? 1 : 0;
    if (is_wide || narrow > 1) return true;
    text.remove_prefix(length);
  }
  return false;
}

std::string_view without_space_behind(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  while (!text.empty()) {
    std::size_t begin = text.size() - 1;
    while (begin > 0 && continues_character(text[begin])) --begin;
    if (text[begin] == mark::close) {
      const std::size_t number = text.find_last_not_of(digits, begin - 1);
      if (begin == 0 || number == std::string_view::npos || text[number] != mark::figure) return text;
      begin = number;
    } else if (length_of_space(text.substr(begin)) != text.size() - begin) {
      return text;
    }
    text = text.substr(0, begin);
  }
  return text;
}

bool has_han(std::string_view text) {
  constexpr std::size_t nearness = 256;
  return std::ranges::any_of(text.substr(0, nearness), [](char c) {
    return static_cast<unsigned char>(c) >= 0xE4 && static_cast<unsigned char>(c) <= 0xE9;
  });
}

bool has_several_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const bool is_seen = static_cast<unsigned char>(c) > ' ';
    if (is_seen && !continues_character(c) && ++count > 1) return true;
  }
  return false;
}

}  // namespace qdedup::markup
