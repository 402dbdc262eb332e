#include "refine/option_markers.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
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
  if (letter < U'A' || letter > last_letter) return;
  const char32_t before = at > 0 ? text[at - 1] : U' ';
  if (is_word_character(before)) return;
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

// From the marker `first` on, each followed by the next marker of the next letter.
std::vector<OptionStretch> stretches_from(std::u32string_view text, const std::vector<Marker>& markers,
                                          const std::vector<std::size_t>& following, std::size_t first) {
  std::vector<OptionStretch> options;
  for (std::size_t i = first; i < markers.size(); i = following[i]) {
    if (!options.empty()) options.back().end = markers[i].begin;
    options.push_back({markers[i].begin, markers[i].end, text.size()});
  }
  return options;
}

// Does a blank end before `at`, or a question? ( )A, _____A, ?A
bool may_begin_options(std::u32string_view text, std::size_t at) {
  std::size_t end = at;
  while (end > 0 && (is_white(text[end - 1]) || is_one_of(text[end - 1], U".,;。"))) --end;
  if (end == 0) return false;
  if (text[end - 1] != U')' && text[end - 1] != U']') return is_one_of(text[end - 1], U"_?");
  --end;
  while (end > 0 && (is_white(text[end - 1]) || text[end - 1] == U'_')) --end;
  return end > 0 && is_one_of(text[end - 1], U"([");
}

// Is a letter no part of a word and no unit of temperature?
bool stands_alone(std::u32string_view text, std::size_t at) {
  const char32_t before = at > 0 ? text[at - 1] : U'\0';
  const char32_t behind = at + 1 < text.size() ? text[at + 1] : U'\0';
  return !is_letter(before) && before != U'°' && !is_letter(behind);
}

// Four letters that nothing sets apart: …的是( )A北京B南京C上海D天津
std::vector<OptionStretch> find_bare_options(std::u32string_view text) {
  constexpr std::u32string_view letters = U"ABCD";
  std::vector<OptionStretch> options;
  for (std::size_t at = text.find(letters[0]); at < text.size() && options.size() < letters.size(); ++at) {
    const bool begins = text[at] == letters[0] && stands_alone(text, at) && may_begin_options(text, at);
    if (begins) options.clear();
    if (!begins && (options.empty() || text[at] != letters[options.size()] || !stands_alone(text, at)))
      continue;
    const bool has_point = at + 1 < text.size() && is_one_of(text[at + 1], U".、:");
    if (!options.empty()) options.back().end = at;
    options.push_back({at, at + (has_point ? 2 : 1), text.size()});
  }
  const bool all_say = std::ranges::all_of(options, [text](const OptionStretch& option) {
    return says_something(text.substr(option.begin, option.end - option.begin));
  });
  return options.size() == letters.size() && all_say ? options : std::vector<OptionStretch>();
}

}  // namespace

std::vector<OptionStretch> find_options(std::u32string_view text) {
  std::vector<Marker> markers;
  for (std::size_t i = 0; i < text.size(); ++i) add_marker(text, i, markers);
  if (markers.size() < min_options) return find_bare_options(text);
  std::array<std::size_t, last_letter - U'A' + 2> next{};  // marker of each letter, behind those looked at
  next.fill(markers.size());
  std::vector<std::size_t> following(markers.size());
  std::vector<std::size_t> options(markers.size() + 1);  // how many begin here; 0 if one says nothing
  std::size_t end = text.size();                         // where the next marker begins
  for (std::size_t i = markers.size(); i-- > 0;) {
    const std::size_t letter = markers[i].letter - U'A';
    following[i] = next.at(letter + 1);
    next.at(letter) = i;
    const bool has_letter = i + 1 < markers.size() && following[i] != i + 1;
    const bool says = has_letter || says_something(text.substr(markers[i].end, end - markers[i].end));
    const bool is_last = following[i] == markers.size();
    if (says && (is_last || options[following[i]] > 0)) options[i] = options[following[i]] + 1;
    if (letter == 0 && options[i] >= min_options) return stretches_from(text, markers, following, i);
    end = markers[i].begin;
  }
  return find_bare_options(text);
}

}  // namespace qdedup::refine
