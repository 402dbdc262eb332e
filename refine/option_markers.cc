#include "refine/option_markers.h"

#include <algorithm>
#include <array>

#include "refine/character_class.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

constexpr std::size_t min_options = 2;
constexpr char32_t last_letter = U'H';

bool is_white(char32_t c) { return character_classes()[c] == CharacterClass::white; }

bool is_word_character(char32_t c) {
  const CharacterClass kind = character_classes()[c];
  return kind == CharacterClass::letter || kind == CharacterClass::digit;
}

// A letter that could name an option, and the stretch from its bracket to where the option begins.
struct Marker {
  char32_t letter;
  std::size_t begin;
  std::size_t end;
};

std::size_t skip_white(std::u32string_view text, std::size_t at) {
  while (at < text.size() && is_white(text[at])) ++at;
  return at;
}

// Letters count as markers in brackets, before one of . 、 : ) and after white space.
void add_marker(std::u32string_view text, std::size_t at, std::vector<Marker>& markers) {
  const char32_t letter = text[at];
  const char32_t before = at > 0 ? text[at - 1] : U' ';
  if (letter < U'A' || letter > last_letter || is_word_character(before)) return;
  const std::size_t after = skip_white(text, at + 1);
  const char32_t next = after < text.size() ? text[after] : U'\0';
  if (before == U'(') {
    if (next == U')') markers.push_back({letter, at - 1, after + 1});
  } else if (is_one_of(next, U".、:)")) {
    markers.push_back({letter, at, after + 1});
  } else if (is_white(before) && !is_word_character(next)) {
    markers.push_back({letter, at, after});
  }
}

bool says_something(std::u32string_view text) {
  return std::ranges::any_of(text, [](char32_t c) { return is_kept(character_classes()[c]); });
}

// Marks the options from the A at `first` on, each followed by the next marker of the next letter; empty
// where fewer than two say something.
std::vector<OptionStretch> options_from(std::u32string_view text, const std::vector<Marker>& markers,
                                        const std::vector<std::size_t>& following, std::size_t first) {
  std::vector<OptionStretch> options;
  for (std::size_t i = first; i < markers.size(); i = following[i]) {
    if (!options.empty()) options.back().end = markers[i].begin;
    options.push_back({markers[i].begin, markers[i].end, text.size()});
  }
  const bool all_say = std::ranges::all_of(options, [text](const OptionStretch& option) {
    return says_something(text.substr(option.begin, option.end - option.begin));
  });
  if (options.size() < min_options || !all_say) options.clear();
  return options;
}

}  // namespace

std::vector<OptionStretch> find_options(std::u32string_view text) {
  std::vector<Marker> markers;
  for (std::size_t i = 0; i < text.size(); ++i) add_marker(text, i, markers);
  std::array<std::size_t, last_letter - U'A' + 2> next{};  // marker of each letter, behind those looked at
  next.fill(markers.size());
  std::vector<std::size_t> following(markers.size());
  for (std::size_t i = markers.size(); i-- > 0;) {
    const std::size_t letter = markers[i].letter - U'A';
    following[i] = next.at(letter + 1);
    next.at(letter) = i;
    if (letter > 0) continue;
    if (auto options = options_from(text, markers, following, i); !options.empty()) return options;
  }
  return {};
}

}  // namespace qdedup::refine
