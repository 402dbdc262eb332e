#include "refine/missing_parts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "refine/character_class.h"
#include "refine/notation_characters.h"
#include "refine/option_markers.h"
#include "refine/parts.h"
#include "refine/rule_words.h"
#include "refine/searched_text.h"
#include "refine/subjects.h"
#include "refine/text_forms.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

constexpr char32_t known_symbol = U'🖼';
constexpr std::u32string_view figure_symbols = U"🖼🖻🖾";

// What figures begin and end with in a text whose markup nobody read, in lower case.
struct FigureMark {
  std::u32string_view begin;
  std::u32string_view end;
};
constexpr std::array<FigureMark, 13> figure_marks = {{{U"<img", U">"},
                                                      {U"<image", U">"},
                                                      {U"<svg", U">"},
                                                      {U"<audio", U">"},
                                                      {U"<video", U">"},
                                                      {U"&lt;img", U"&gt;"},
                                                      {U"\\includegraphics", U"}"},
                                                      {U"![", U")"},
                                                      {U"[图", U"]"},
                                                      {U"【图", U"】"},
                                                      {U"[image", U"]"},
                                                      {U"[img", U"]"},
                                                      {U"[pic]", U""}}};
constexpr char32_t object_character = U'\uFFFC';

// A text and what it shows besides.
class Shown {
 public:
  // The text has to live as long.
  explicit Shown(const TextForms& text);

  // Without its figures, in normal form.
  [[nodiscard]] std::u32string_view text() const { return rest_ ? rest_->text : whole_.normal(); }
  [[nodiscard]] const Parts& parts() const { return rest_ ? rest_->parts : whole_.parts(); }

  std::vector<std::u32string> known;  // figures known by what they show
  bool has_other = false;             // and others
  bool has_lost_formula = false;      // one of which nothing tells what it is

 private:
  struct Rest {
    std::u32string text;
    Parts parts;
  };

  void note(std::u32string_view figure);

  const TextForms& whole_;
  std::optional<Rest> rest_;  // where there are figures
};

char32_t in_lower_case(char32_t c) { return c >= U'A' && c <= U'Z' ? c | U'\x20' : c; }

bool is_hexadecimal(char32_t c) { return is_digit(c) || (c >= U'a' && c <= U'f'); }

bool may_begin_figure(char32_t c) {
  if (HanTable<char>::covers(c)) return c == U'【';
  return is_one_of(c, U"<&\\![") || c == object_character || is_image_mark(c) || is_one_of(c, figure_symbols);
}

// The length of the figure that `text` begins with, as marked by an extraction or by the text's own markup; 0
// for none.
std::size_t figure_length(std::u32string_view text) {
  if (is_one_of(text[0], figure_symbols)) {
    const auto after = std::ranges::find_if_not(text.substr(1), is_hexadecimal);
    return 1 + static_cast<std::size_t>(after - text.substr(1).begin());
  }
  if (is_image_mark(text[0])) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_image_mark) - text.begin());
  }
  if (text[0] == object_character) return 1;
  constexpr std::size_t longest = 2000;
  for (const auto& [begin, closing] : figure_marks) {
    if (!std::ranges::equal(text.substr(0, begin.size()), begin, {}, in_lower_case)) continue;
    const std::size_t end = text.substr(0, longest).find(closing, begin.size());
    return end == std::u32string_view::npos ? 0 : end + closing.size();
  }
  return 0;
}

Shown::Shown(const TextForms& text) : whole_(text) {
  const std::u32string_view normal = text.normal();
  std::u32string rest;
  std::size_t end = 0;  // of the last figure
  for (std::size_t at = 0; at < normal.size();) {
    const std::size_t length = may_begin_figure(normal[at]) ? figure_length(normal.substr(at)) : 0;
    if (length == 0) {
      ++at;
      continue;
    }
    note(normal.substr(at, length));
    rest += normal.substr(end, at - end);
    at = end = at + length;
  }
  if (end == 0) return;
  rest += normal.substr(end);
  rest_.emplace(Rest{rest, split(rest)});
}

void Shown::note(std::u32string_view figure) {
  if (figure[0] == known_symbol || (is_image_mark(figure[0]) && figure.size() > 1)) {
    known.emplace_back(figure);
  } else {
    has_other = true;
    has_lost_formula |= figure[0] == figure_symbols.back() && figure.size() > 1;
  }
}

std::size_t signs_in(const Parts& parts) {
  return static_cast<std::size_t>(std::ranges::count(parts.signs, Parts::end_of_sign));
}

// Han characters and signs.
std::size_t size_of(const Parts& parts) { return parts.han.size() + signs_in(parts); }

// Calls `use` with each run of Latin letters, in lower case, and where it begins, until one returns false.
template <class Use>
bool each_word(std::u32string_view text, const Use& use) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_letter(text[at])) continue;
    const std::size_t begin = at;
    std::u32string word;
    for (; at < text.size() && is_letter(text[at]); ++at) word += in_lower_case(text[at]);
    if (!use(word, begin)) return false;
  }
  return true;
}

template <class Words>
bool is_in(const Words& words, std::u32string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// As size_of(), but in an English text a word counts as two, as words of Chinese mostly do.
std::size_t length_of(const Shown& shown) {
  constexpr std::size_t min_letters_to_han = 4;
  const std::size_t size = size_of(shown.parts());
  if (signs_in(shown.parts()) < shown.parts().han.size() * min_letters_to_han) return size;
  std::size_t spared = 0;
  each_word(shown.text(), [&spared](const std::u32string& word, std::size_t) {
    spared += word.size() > 2 ? word.size() - 2 : 0;
    return true;
  });
  return size - spared;
}

// Does a clause begin after `before`, a polite word or a number aside?
bool begins_clause(std::u32string_view before) {
  constexpr std::u32string_view fillers = U"请先再并细真";
  return before.empty() || is_one_of(before.back(), fillers) ||
         split(before.substr(before.size() - 1)).han.empty();
}

// Calls `is_found` as text.any_place() does, for the clauses that begin with an opening and end with an
// ending: 读世界气候分布图，
template <class Words, class Test>
bool any_clause(const SearchedText& text, const Words& endings, const Test& is_found) {
  constexpr std::u32string_view stops = U",.;:!?、。\n";
  return text.any_place(rule_words::clause_openings, [&](auto before, std::u32string_view behind) {
    const std::u32string_view whole = behind.substr(0, behind.find_first_of(stops));
    const std::u32string_view clause = whole.substr(0, whole.find_last_not_of(U"”\"》") + 1);
    const bool is_pointer = begins_clause(before) && std::ranges::any_of(endings, [clause](auto ending) {
                              return clause.ends_with(ending);
                            });
    return is_pointer && is_found(before, behind.substr(clause.size()));
  });
}

// Does a clause begin with an opening and the name of a figure? 由图象可知, 根据下面的统计表回答
bool has_picture_clause(const SearchedText& text) {
  return text.any_place(rule_words::picture_openings, [](auto before, std::u32string_view behind) {
    const std::size_t named = behind.find_first_not_of(rule_words::picture_pointers);
    if (named == std::u32string_view::npos || !begins_clause(before)) return false;
    const auto is_there = [&](auto picture) { return behind.substr(named).starts_with(picture); };
    return std::ranges::any_of(rule_words::pictures, is_there);
  });
}

// Do numbers, or words after more than a comma, follow an instruction?
bool has_object(std::u32string_view behind) {
  constexpr std::size_t min_signs = 3;
  constexpr std::size_t min_size = 3;
  constexpr std::size_t min_size_of_all = 30;
  const Parts parts = split(behind);
  if (signs_in(parts) >= min_signs || size_of(parts) >= min_size_of_all) return true;
  const std::size_t stop = behind.find_first_of(U":;.?!。\n“\"(");
  return stop != std::u32string_view::npos && size_of(split(behind.substr(stop))) >= min_size;
}

// Is there nothing to work on where the text says that there is? 把下面的算式连起来
bool lacks_object(const SearchedText& text) {
  constexpr std::size_t min_size_before = 8;
  const auto is_about = [](const auto& things, std::u32string_view behind) {
    return std::ranges::any_of(things, [behind](auto thing) { return behind.starts_with(thing); });
  };
  return text.any_place(rule_words::sample_pointers,
                        [](auto, std::u32string_view behind) { return !has_object(behind); }) ||
         text.any_place(rule_words::object_openings, [&](std::u32string_view before,
                                                         std::u32string_view behind) {
           if (!begins_clause(before) || has_object(behind)) return false;
           return is_about(rule_words::things_below, behind) ||
                  (is_about(rule_words::things_above, behind) && size_of(split(before)) < min_size_before);
         });
}

// Does an English sentence point at something? "Look at the picture", "Listen and choose", "Read the passage"
// without a passage behind it; "the figure", and "the passage" where nothing else is.
bool lacks_english_part(std::u32string_view text) {
  constexpr std::size_t min_size_before = 80;
  constexpr std::size_t min_size_after = 30;
  constexpr std::size_t last_task = 5;
  constexpr std::u32string_view within_clause = U" '’-";
  std::size_t end = 0;        // of the word before
  std::size_t words = 0;      // since a clause began with an opening; 0: it did not
  std::u32string before_the;  // the word before, if the last one was "the"
  std::u32string last;
  const auto is_missing_from = [text](std::size_t at) {
    const std::size_t stop = text.find_first_of(U".:?!\n", at);
    return stop == std::u32string_view::npos || size_of(split(text.substr(stop))) < min_size_after;
  };
  return !each_word(text, [&](const std::u32string& word, std::size_t begin) {
    const auto between = text.substr(end, begin - end);
    const bool begins = end == 0 || between.find_first_not_of(within_clause) != std::u32string_view::npos;
    end = begin + word.size();
    if (begins) {
      words = is_in(rule_words::english_openings, word) ? 1 : 0;
    } else if (words > 0) {
      ++words;
    }
    const std::u32string before = std::exchange(last, word);
    const bool is_task = before == U"and" && words <= last_task && is_in(rule_words::english_tasks, word);
    if (before == U"the") {
      if (is_in(rule_words::english_named_pictures, word)) return false;
      const bool is_passage = is_in(rule_words::english_before_the, before_the) &&
                              is_in(rule_words::english_named_passages, word);
      if (is_passage && size_of(split(text.substr(0, begin))) < min_size_before && is_missing_from(end))
        return false;
    }
    before_the = before;
    if (words < 2) return true;
    if (is_task || is_in(rule_words::english_pictures, word)) return false;
    return !is_in(rule_words::english_passages, word) || !is_missing_from(end);
  });
}

// Do options tell what the shapes are?
bool has_told_options(std::u32string_view text) {
  const std::vector<OptionStretch> options = find_options(text);
  return !options.empty() && std::ranges::all_of(options, [text](const OptionStretch& option) {
    return size_of(split(text.substr(option.begin, option.end - option.begin))) > 0;
  });
}

// Does a colon stand after at most a few words, and more than a request behind it? 如下特点：雨热同期，
bool has_told_list(std::u32string_view behind) {
  constexpr std::size_t longest_title = 6;
  const std::size_t colon = behind.find(U':');
  if (colon > longest_title ||
      behind.substr(0, colon).find_first_of(U",.;?、。") != std::u32string_view::npos)
    return false;
  const std::u32string_view told = behind.substr(colon + 1);
  const std::size_t end = told.find_first_of(U",.;?、。\n");
  return end != std::u32string_view::npos && size_of(split(told.substr(0, end))) >= 2 &&
         size_of(split(told.substr(end))) >= 2 && !is_one_of(told[0], rule_words::requests);
}

// What should follow "如下" does not: neither numbers nor sentences.
bool lacks_list(const SearchedText& text) {
  constexpr std::size_t min_signs = 3;
  constexpr std::size_t min_list_size = 30;
  return text.any_place(rule_words::list_pointers, [](auto, std::u32string_view behind) {
    const Parts parts = split(behind);
    return signs_in(parts) < min_signs && size_of(parts) < min_list_size && !has_told_list(behind);
  });
}

bool lacks_figure(const SearchedText& text) {
  return text.has_any(rule_words::figure_pointers) || lacks_list(text) ||
         any_clause(text, rule_words::picture_endings, [](auto, auto) { return true; }) ||
         has_picture_clause(text) || lacks_object(text) || lacks_english_part(text) ||
         (text.has_any(rule_words::shape_pointers) && !has_told_options(text));
}

// Does it ask about words that would be marked, and are not?
bool lacks_marks(const SearchedText& text) {
  return names_marked_words(text) && std::ranges::none_of(std::u32string_view(text), is_emphasis);
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
  return text.any_place(rule_words::passage_pointers, does_not_follow) ||
         text.any_place(rule_words::passage_references, is_not_there) ||
         any_clause(text, rule_words::text_endings, is_not_there) ||
         text.any_place(rule_words::passage_openings, [&](auto before, std::u32string_view behind) {
           return begins_clause(before) && does_not_follow(before, behind);
         });
}

// Do instructions or their parts begin with a character?
const HanTable<bool>& instruction_beginnings() {
  static const HanTable<bool> table = [] {
    std::u32string characters;
    const auto add = [&characters](const auto& words) {
      for (const std::u32string_view word : words) characters += word[0];
    };
    add(rule_words::instructions);
    add(rule_words::instruction_verbs);
    add(rule_words::instruction_particles);
    add(rule_words::instruction_objects);
    return han_set({characters});
  }();
  return table;
}

// Is a Han part made of nothing but instructions and their parts?
bool is_chinese_instruction(std::u32string_view han) {
  const HanTable<bool>& beginnings = instruction_beginnings();
  std::vector<bool> reached(han.size() + 1);
  reached[0] = true;
  const auto reach = [&](std::size_t from, const auto& words) {
    for (const std::u32string_view word : words) {
      if (word[0] == han[from] && han.substr(from).starts_with(word)) reached[from + word.size()] = true;
    }
  };
  for (std::size_t from = 0; from < han.size(); ++from) {
    if (!reached[from] || !beginnings[han[from]]) continue;
    reach(from, rule_words::instructions);
    reach(from, rule_words::instruction_verbs);
    reach(from, rule_words::instruction_particles);
    reach(from, rule_words::instruction_objects);
  }
  return reached[han.size()];
}

// Does a text say nothing but what to do, and name symbols at most?
bool is_instruction(const Shown& shown) {
  const bool names_symbols = std::ranges::all_of(shown.parts().signs, [](char32_t c) {
    return c == Parts::end_of_sign || is_letter(c) || is_one_of(c, rule_words::instruction_signs);
  });
  return names_symbols && is_chinese_instruction(shown.parts().han) &&
         each_word(shown.text(), [](const std::u32string& word, std::size_t) {
           return is_in(rule_words::english_instructions, word);
         });
}

bool is_too_short(const Shown& shown, std::size_t fewest) {
  const bool shows_figure = !shown.known.empty() || shown.has_other;
  if (size_of(shown.parts()) < fewest && !shows_figure) return true;
  return is_instruction(shown);
}

bool needs_figure(const Shown& a, const Shown& b, std::size_t figure_text) {
  const bool same_figures = !a.has_other && !b.has_other && a.known == b.known;
  const bool has_figures = same_figures && !a.known.empty();
  const auto lacks_part = [&](const Shown& shown) {
    if (shown.has_lost_formula) return true;
    if (length_of(shown) >= figure_text) return false;
    if (!same_figures) return true;
    SearchedText text(shown.text());
    std::u32string rest;
    if (text.has_any(rule_words::no_pointers)) {
      rest = text.without(rule_words::no_pointers);
      text = SearchedText(rest);
    }
    return (!has_figures && lacks_figure(text)) || lacks_passage(text) || lacks_marks(text);
  };
  return lacks_part(a) || (a.text() != b.text() && lacks_part(b));
}

}  // namespace

MissingParts missing_parts(const TextForms& a, const TextForms& b, const ContrastSettings& settings) {
  const Shown shown_a(a);
  std::optional<Shown> other;
  if (a.utf8() != b.utf8()) other.emplace(b);
  const Shown& shown_b = other ? *other : shown_a;
  const std::size_t fewest = settings.short_text;
  return {.needs_figure = settings.figure_text > 0 && needs_figure(shown_a, shown_b, settings.figure_text),
          .too_short = fewest > 0 && (is_too_short(shown_a, fewest) || is_too_short(shown_b, fewest))};
}

}  // namespace qdedup::refine
