#include "refine/question_echo.h"

#include <algorithm>

#include "refine/difference_words.h"
#include "refine/rule_words.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

// How many words of the question are joined to others by 和 and the like.
std::ptrdiff_t joined_in_question(const Part& stem) {
  return std::ranges::count_if(stem.words, [](const Token& token) { return token.asks && token.joined; });
}

bool names_figure(const Token& token, const Part& stem) {
  return token.word.kind == WordKind::relation &&
         rule_words::figure_endings.find(stem.layout.characters[token.end - 1]) != std::u32string_view::npos;
}

bool is_only_figure(const Token& figure, const Part& stem) {
  return std::ranges::all_of(stem.words, [&](const Token& token) {
    return !names_figure(token, stem) || token.word == figure.word ||
           token.word.meaning == figure.word.meaning;
  });
}

// Does it mention pupils, and nobody whom it would have to tell from them?
bool has_only_pupils(const Part& stem) {
  const char32_t pupil = Vocabulary::instance().first_word(rule_words::pupils).meaning;
  bool found = false;
  for (const Token& token : stem.words) {
    const std::u32string_view word = stem.layout.spelling(token);
    if (token.word.kind != WordKind::relation ||
        word.find_first_of(rule_words::person_endings) == std::u32string_view::npos)
      continue;
    if (token.word.meaning != pupil) return false;
    found = true;
  }
  return found;
}

// 3m, 3cm and the like
bool measures_in_letters(const Part& stem, std::u32string_view unit) {
  const std::u32string_view letters = unit == rule_words::metre        ? U"m"
                                      : unit == rule_words::centimetre ? U"cm"
                                      : unit == rule_words::kilometre  ? U"km"
                                                                       : U"";
  if (letters.empty()) return false;
  const std::u32string_view text = stem.layout.characters;
  const auto digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
  for (std::size_t at = text.find(letters, 1); at != std::u32string_view::npos;
       at = text.find(letters, at + 1)) {
    if (digit(text[at - 1])) return true;
  }
  return false;
}

// A unit that the question has elsewhere; for 平方米 and 立方米, 米 will do, and the other way round.
bool is_known_unit(const Token& token, const Part& here, const Part& stem) {
  const auto same = [&token](const Token& known) {
    return known.word.kind == WordKind::unit && known.word.meaning == token.word.meaning;
  };
  if (std::ranges::any_of(stem.words, same)) return true;
  std::u32string_view unit = here.layout.spelling(token);
  if (unit.size() > 2 && (unit.starts_with(rule_words::square) || unit.starts_with(rule_words::cubic)))
    unit.remove_prefix(2);
  return measures_in_letters(stem, unit) || std::ranges::any_of(stem.words, [&](const Token& other) {
           std::u32string_view known = stem.layout.spelling(other);
           if (known.starts_with(rule_words::square) || known.starts_with(rule_words::cubic))
             known.remove_prefix(2);
           return other.word.kind == WordKind::unit && known == unit;
         });
}

// Does it end with amounts that no query word asks for? “求鸦的只数和树的棵数”
bool lists_amounts(const Part& stem) {
  const Tokens& tokens = stem.layout.stem;
  const auto query = std::find_if(tokens.rbegin(), tokens.rend(), is_query);
  return std::any_of(tokens.rbegin(), query, [](const Token& token) { return token.joined; });
}

}  // namespace

bool has_one_person(const Part& stem) {
  const auto is_person = [](const Token& token) { return token.word.kind == WordKind::person; };
  const auto first = std::ranges::find_if(stem.words, is_person);
  return first != stem.words.end() && std::all_of(first, stem.words.end(), [&](const Token& token) {
           return !is_person(token) || token.word == first->word;
         });
}

bool asks_for_as_many(const Part& a, const Part& b) {
  const bool both_ask = a.queries > 0 && b.queries > 0;
  return joined_in_question(a) == joined_in_question(b) && (!both_ask || a.queries == b.queries);
}

bool asks_more(const Part& a, const Part& b) {
  return !lists_amounts(a) && !lists_amounts(b) && a.queries > 0 && b.queries > 0 && a.queries != b.queries &&
         !asks_in_turn(a, b);
}

bool asks_in_turn(const Part& a, const Part& b) {
  return a.queries > 0 && b.queries > 0 && a.queries != b.queries &&
         a.queries + joined_in_question(a) == b.queries + joined_in_question(b);
}

bool is_letter(const Token& token) {
  return rule_words::labels.find(token.word.meaning) != std::u32string_view::npos;
}

bool asks_with(const Part& stem, std::u32string_view word) {
  return std::ranges::any_of(stem.layout.stem, [&](const Token& token) {
    return token.asks && stem.layout.spelling(token).find(word) != std::u32string_view::npos;
  });
}

bool asks_about_something(const Part& stem) {
  const auto names = [](const Token& token) {
    const WordKind kind = token.word.kind;
    return is_unlisted(token) || kind == WordKind::person ||
           (kind == WordKind::quantity && token.word.length > 1);
  };
  return std::ranges::any_of(
      stem.words, [names](const Token& token) { return token.asks && !token.counted && names(token); });
}

bool is_echoed(const Token& word, const Part& here, const Part& there) {
  const auto same = [&word](const Token& token) { return token.word == word.word; };
  const auto same_asked = [&](const Token& token) { return (token.asks || word.counted) && same(token); };
  if (!word.asks) return false;
  if (word.word.kind == WordKind::person) return has_one_person(here) && has_one_person(there);
  if (word.word.meaning == Vocabulary::instance().first_word(rule_words::pupils).meaning)
    return has_only_pupils(here) && has_only_pupils(there);
  if (names_figure(word, here)) return is_only_figure(word, here) && is_only_figure(word, there);
  if (word.word.kind == WordKind::unit) return word.counted && is_known_unit(word, here, there);
  return is_unlisted(word) && std::ranges::any_of(there.words, same_asked);
}

}  // namespace qdedup::refine
