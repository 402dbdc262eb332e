#include "refine/missing_parts.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "refine/normalise.h"
#include "refine/parts.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

constexpr char32_t known_symbol = U'🖼';
constexpr std::u32string_view figure_symbols = U"🖼🖻🖾";

// What figures begin with in a text whose markup nobody read.
constexpr std::array<std::u32string_view, 6> figure_marks = {U"<img", U"![",     U"[图",
                                                             U"【图", U"[image", U"[img"};

// A text and what it shows besides.
struct Shown {
  std::u32string text;                // without its figures, in normal form
  std::vector<std::u32string> known;  // figures known by what they show
  bool has_other = false;             // and others
};

bool is_hexadecimal(char32_t c) { return (c >= U'0' && c <= U'9') || (c >= U'a' && c <= U'f'); }

// The length of the figure that `text` begins with, as marked by an extraction or by the text's own markup; 0
// for none.
std::size_t figure_length(std::u32string_view text) {
  if (figure_symbols.find(text[0]) != std::u32string_view::npos) {
    const auto after = std::ranges::find_if_not(text.substr(1), is_hexadecimal);
    return text[0] == figure_symbols.back() ? 1
                                            : 1 + static_cast<std::size_t>(after - text.substr(1).begin());
  }
  constexpr std::size_t longest = 2000;
  for (const std::u32string_view begin : figure_marks) {
    if (!text.starts_with(begin)) continue;
    const std::u32string_view closing = begin[0] == U'<' ? U">" : begin[0] == U'!' ? U")" : U"]】";
    const std::size_t end = text.substr(0, longest).find_first_of(closing, begin.size());
    return end == std::u32string_view::npos ? 0 : end + 1;
  }
  return 0;
}

Shown shown_by(std::string_view text) {
  const std::u32string normal = normalise(text);
  Shown shown;
  for (std::u32string_view rest = normal; !rest.empty();) {
    const std::size_t length = figure_length(rest);
    if (length == 0) {
      shown.text += rest[0];
    } else if (rest[0] == known_symbol) {
      shown.known.emplace_back(rest.substr(0, length));
    } else {
      shown.has_other = true;
    }
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

// Han characters and signs.
std::size_t size_of(const Parts& parts) {
  return parts.han.size() + static_cast<std::size_t>(std::ranges::count(parts.signs, Parts::end_of_sign));
}

std::size_t size_of(std::u32string_view normal) { return size_of(split(normal)); }

template <class Words>
bool has_any(std::u32string_view text, const Words& words) {
  return std::ranges::any_of(words,
                             [text](auto word) { return text.find(word) != std::u32string_view::npos; });
}

// Does it point at a passage that does not follow?
bool lacks_passage(std::u32string_view text) {
  constexpr std::size_t shortest_passage = 30;
  return std::ranges::any_of(rule_words::passage_pointers, [text](std::u32string_view pointer) {
    const std::size_t at = text.find(pointer);
    return at != std::u32string_view::npos && size_of(text.substr(at + pointer.size())) < shortest_passage;
  });
}

// What is left of a Han part when instructions are taken out.
bool is_instruction(std::u32string_view han) {
  while (!han.empty()) {
    std::size_t longest = 0;
    for (const std::u32string_view word : rule_words::instructions) {
      if (han.starts_with(word)) longest = std::max(longest, word.size());
    }
    if (longest == 0) return false;
    han.remove_prefix(longest);
  }
  return true;
}

bool is_too_short(std::string_view text, std::size_t fewest) {
  const Shown shown = shown_by(text);
  const Parts parts = split(shown.text);
  const bool shows_figure = !shown.known.empty() || shown.has_other;
  if (size_of(parts) < fewest && !shows_figure) return true;
  return parts.signs.empty() && is_instruction(parts.han);
}

}  // namespace

bool needs_figure(std::string_view a, std::string_view b, std::size_t figure_text) {
  if (figure_text == 0) return false;
  const std::array<Shown, 2> both = {shown_by(a), shown_by(b)};
  const bool none_other = !both[0].has_other && !both[1].has_other;
  const bool same_figures = none_other && both[0].known == both[1].known;
  const bool has_figures = same_figures && !both[0].known.empty();
  return std::ranges::any_of(both, [&](const Shown& shown) {
    if (size_of(shown.text) >= figure_text) return false;
    const bool lacks_figure = !has_figures && has_any(shown.text, rule_words::figure_pointers);
    return !same_figures || lacks_figure || lacks_passage(shown.text);
  });
}

bool is_too_short(std::string_view a, std::string_view b, std::size_t fewest) {
  if (fewest == 0) return false;
  return is_too_short(a, fewest) || is_too_short(b, fewest);
}

}  // namespace qdedup::refine
