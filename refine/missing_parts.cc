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
  Parts parts;                        // of that
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
  shown.parts = split(shown.text);
  return shown;
}

// Han characters and signs.
std::size_t size_of(const Parts& parts) {
  return parts.han.size() + static_cast<std::size_t>(std::ranges::count(parts.signs, Parts::end_of_sign));
}

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
    return at != std::u32string_view::npos &&
           size_of(split(text.substr(at + pointer.size()))) < shortest_passage;
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

bool is_too_short(const Shown& shown, std::size_t fewest) {
  const bool shows_figure = !shown.known.empty() || shown.has_other;
  if (size_of(shown.parts) < fewest && !shows_figure) return true;
  return shown.parts.signs.empty() && is_instruction(shown.parts.han);
}

bool needs_figure(const Shown& a, const Shown& b, std::size_t figure_text) {
  const bool same_figures = !a.has_other && !b.has_other && a.known == b.known;
  const bool has_figures = same_figures && !a.known.empty();
  const auto lacks_part = [&](const Shown& shown) {
    if (size_of(shown.parts) >= figure_text) return false;
    const bool lacks_figure = !has_figures && has_any(shown.text, rule_words::figure_pointers);
    return !same_figures || lacks_figure || lacks_passage(shown.text);
  };
  return lacks_part(a) || lacks_part(b);
}

}  // namespace

MissingParts missing_parts(std::string_view a, std::string_view b, const ContrastSettings& settings) {
  const Shown shown_a = shown_by(a);
  const Shown shown_b = shown_by(b);
  const std::size_t fewest = settings.short_text;
  return {.needs_figure = settings.figure_text > 0 && needs_figure(shown_a, shown_b, settings.figure_text),
          .too_short = fewest > 0 && (is_too_short(shown_a, fewest) || is_too_short(shown_b, fewest))};
}

}  // namespace qdedup::refine
