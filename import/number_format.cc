#include "import/number_format.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace qdedup::import {
namespace {

constexpr std::string_view colours[] = {"black",   "blue", "cyan",  "green",
                                        "magenta", "red",  "white", "yellow"};

// Stands for what a section shows beside the value.
constexpr char something = '!';

// The sections of a code without blanks, padding and colours.
std::vector<std::string> sections_of(std::string_view code) {
  std::vector<std::string> sections(1);
  for (std::size_t at = 0; at < code.size(); ++at) {
    std::string& section = sections.back();
    const char c = code[at];
    if (c == ';') {
      sections.emplace_back();
    } else if (c == '_') {
      ++at;
    } else if (c == '\\' || c == '*') {
      ++at;
      if (c == '*' || (at < code.size() && code[at] != ' ')) section += something;
    } else if (c == '"') {
      const std::size_t end = std::min(code.find('"', at + 1), code.size());
      if (end > at + 1) section += something;
      at = end;
    } else if (c == '[') {
      const std::size_t end = std::min(code.find(']', at + 1), code.size());
      const std::string inside = in_lower_case(code.substr(at + 1, end - at - 1));
      if (std::ranges::find(colours, inside) == std::end(colours)) section += something;
      at = end;
    } else if (c != ' ') {
      section += c;
    }
  }
  return sections;
}

bool is_general(const std::string& section) { return in_lower_case(section) == "general"; }

// Digits, with separators between them, and perhaps decimals.
bool is_plain_number(std::string_view section) {
  const std::string_view whole = section.substr(0, section.find('.'));
  const std::string_view decimals = section.substr(std::min(whole.size() + 1, section.size()));
  return !whole.empty() && !whole.ends_with(',') &&
         whole.find_first_not_of("0#?,") == std::string_view::npos &&
         decimals.find_first_not_of("0#?") == std::string_view::npos;
}

bool shows_texts(const std::vector<std::string>& sections) {
  const std::string& last = sections.back();
  const bool has_stray_text =
      std::any_of(sections.begin(), sections.end() - 1,
                  [](const std::string& section) { return section.find('@') != std::string::npos; });
  if (sections.size() > 4 || has_stray_text) return false;
  if (sections.size() == 4 || last.find('@') != std::string::npos) return last == "@" || is_general(last);
  // Texts are shown as they are unless a program takes the code for one of texts.
  return std::ranges::any_of(sections, [](const std::string& section) {
    const std::string lower = in_lower_case(section);
    return lower.find("general") != std::string::npos || lower.find_first_of("0#?ymdhs") != std::string::npos;
  });
}

bool shows_numbers(const std::string& section) {
  return section == "@" || is_general(section) || is_plain_number(section);
}

}  // namespace

FormatEffect effect_of_code(std::string_view code) {
  const std::vector<std::string> sections = sections_of(code);
  return {shows_texts(sections), shows_numbers(sections.front())};
}

FormatEffect effect_of_built_in(std::uint32_t number) {
  constexpr std::uint32_t plain[] = {0, 1, 2, 3, 4, 37, 38, 39, 40, 49};
  return {true, std::ranges::find(plain, number) != std::end(plain)};
}

}  // namespace qdedup::import
