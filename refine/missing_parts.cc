#include "refine/missing_parts.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <string>
#include <utility>
#include <vector>

#include "refine/normalise.h"
#include "refine/option_markers.h"
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
  if (!is_one_of(text[0], U"<![【")) return 0;
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
  shown.text.reserve(normal.size());
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

std::size_t signs_in(const Parts& parts) {
  return static_cast<std::size_t>(std::ranges::count(parts.signs, Parts::end_of_sign));
}

// Han characters and signs.
std::size_t size_of(const Parts& parts) { return parts.han.size() + signs_in(parts); }

// Most words begin with a character that a text does not have, and need not be searched in it.
class SearchedText {
 public:
  explicit SearchedText(std::u32string text) : text_(std::move(text)) {
    for (const char32_t c : text_) characters_.set(c % characters_.size());
  }

  operator std::u32string_view() const { return text_; }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::size_t find(std::u32string_view word, std::size_t from = 0) const {
    return characters_[word[0] % characters_.size()] ? text_.find(word, from) : std::u32string::npos;
  }

  template <class Words>
  [[nodiscard]] bool has_any(const Words& words) const {
    return std::ranges::any_of(words, [this](auto word) { return find(word) != std::u32string::npos; });
  }

  // A NUL takes the place of each.
  template <class Words>
  [[nodiscard]] std::u32string without(const Words& words) const {
    if (!has_any(words)) return text_;
    std::u32string rest;
    for (std::u32string_view text = text_; !text.empty();) {
      const auto* const word =
          std::ranges::find_if(words, [text](auto candidate) { return text.starts_with(candidate); });
      const bool is_word = word != words.end();
      rest += is_word ? U'\0' : text[0];
      text.remove_prefix(is_word ? word->size() : 1);
    }
    return rest;
  }

 private:
  std::u32string text_;
  std::bitset<1024> characters_;
};

// Calls `is_found` with the texts before and after each word, until one is.
template <class Words, class Test>
bool any_place(const SearchedText& text, const Words& words, const Test& is_found) {
  const std::u32string_view whole = text;
  return std::ranges::any_of(words, [&](std::u32string_view word) {
    for (std::size_t at = text.find(word); at != std::u32string_view::npos; at = text.find(word, at + 1)) {
      if (is_found(whole.substr(0, at), whole.substr(at + word.size()))) return true;
    }
    return false;
  });
}

// Does a clause begin after `before`, a polite word or a number aside?
bool begins_clause(std::u32string_view before) {
  constexpr std::u32string_view fillers = U"请先再并细真";
  return before.empty() || is_one_of(before.back(), fillers) ||
         split(before.substr(before.size() - 1)).han.empty();
}

// Calls `is_found` as any_place() does, for the clauses that begin with an opening and end with an ending:
// 读世界气候分布图，
template <class Words, class Test>
bool any_clause(const SearchedText& text, const Words& endings, const Test& is_found) {
  constexpr std::u32string_view stops = U",.;:!?、。\n";
  return any_place(text, rule_words::clause_openings, [&](auto before, std::u32string_view behind) {
    const std::u32string_view clause = behind.substr(0, behind.find_first_of(stops));
    const bool is_pointer = begins_clause(before) && std::ranges::any_of(endings, [clause](auto ending) {
                              return clause.ends_with(ending);
                            });
    return is_pointer && is_found(before, behind.substr(clause.size()));
  });
}

// Do options tell what the shapes are?
bool has_told_options(std::u32string_view text) {
  const std::vector<OptionStretch> options = find_options(text);
  return !options.empty() && std::ranges::all_of(options, [text](const OptionStretch& option) {
    return size_of(split(text.substr(option.begin, option.end - option.begin))) > 0;
  });
}

// What should follow "如下" does not: neither numbers nor sentences.
bool lacks_list(const SearchedText& text) {
  constexpr std::size_t min_signs = 3;
  constexpr std::size_t min_list_size = 30;
  return any_place(text, rule_words::list_pointers, [](auto, std::u32string_view behind) {
    const Parts parts = split(behind);
    return signs_in(parts) < min_signs && size_of(parts) < min_list_size;
  });
}

bool lacks_figure(const SearchedText& text) {
  return text.has_any(rule_words::figure_pointers) || lacks_list(text) ||
         any_clause(text, rule_words::picture_endings, [](auto, auto) { return true; }) ||
         (text.has_any(rule_words::shape_pointers) && !has_told_options(text));
}

// Does it point at a passage that neither follows nor, if it may, stands before?
bool lacks_passage(const SearchedText& text) {
  constexpr std::size_t min_size_before = 15;
  constexpr std::size_t min_size_after = 30;
  const auto does_not_follow = [](auto, std::u32string_view behind) {
    return size_of(split(behind)) < min_size_after;
  };
  const auto is_not_there = [&](std::u32string_view before, std::u32string_view behind) {
    const bool has_title = !before.empty() && before.back() == U'》';
    return !has_title && size_of(split(before)) < min_size_before && does_not_follow(before, behind);
  };
  return any_place(text, rule_words::passage_pointers, does_not_follow) ||
         any_place(text, rule_words::passage_references, is_not_there) ||
         any_clause(text, rule_words::text_endings, is_not_there) ||
         any_place(text, rule_words::passage_openings, [&](auto before, std::u32string_view behind) {
           return begins_clause(before) && does_not_follow(before, behind);
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
    const SearchedText text(SearchedText(shown.text).without(rule_words::no_pointers));
    return !same_figures || (!has_figures && lacks_figure(text)) || lacks_passage(text);
  };
  return lacks_part(a) || (a.text != b.text && lacks_part(b));
}

}  // namespace

MissingParts missing_parts(std::string_view a, std::string_view b, const ContrastSettings& settings) {
  const Shown shown_a = shown_by(a);
  const Shown shown_b = a == b ? shown_a : shown_by(b);
  const std::size_t fewest = settings.short_text;
  return {.needs_figure = settings.figure_text > 0 && needs_figure(shown_a, shown_b, settings.figure_text),
          .too_short = fewest > 0 && (is_too_short(shown_a, fewest) || is_too_short(shown_b, fewest))};
}

}  // namespace qdedup::refine
