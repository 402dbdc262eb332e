#include "refine/question_echo.h"

#include <algorithm>

#include "refine/difference_words.h"

namespace qdedup::refine {
namespace {

bool is_only_person(const Token& person, const Part& stem) {
  return std::ranges::all_of(stem.words, [&person](const Token& token) {
    return token.word.kind != WordKind::person || token.word == person.word;
  });
}

bool names_figure(const Token& token, const Part& stem) {
  const std::u32string_view ends = U"形体柱锥圆";
  return token.word.kind == WordKind::relation &&
         ends.find(stem.layout.characters[token.end - 1]) != std::u32string_view::npos;
}

bool is_only_figure(const Token& figure, const Part& stem) {
  return std::ranges::all_of(stem.words, [&](const Token& token) {
    return !names_figure(token, stem) || token.word == figure.word ||
           token.word.meaning == figure.word.meaning;
  });
}

// A unit that the question has elsewhere; for 平方米 and 立方米, 米 will do.
bool is_known_unit(std::u32string_view unit, const Part& stem) {
  if (unit.size() > 2 && (unit.starts_with(U"平方") || unit.starts_with(U"立方"))) unit.remove_prefix(2);
  return std::ranges::any_of(stem.words, [&](const Token& token) {
    return token.word.kind == WordKind::unit && stem.layout.spelling(token) == unit;
  });
}

}  // namespace

std::ptrdiff_t joined_in_question(const Part& stem) {
  return std::ranges::count_if(stem.words, [](const Token& token) { return token.asks && token.joined; });
}

bool asks_more(const Part& a, const Part& b) {
  return a.queries != b.queries && a.queries > 0 && b.queries > 0;
}

bool is_letter(const Token& token) {
  return std::u32string_view(U"甲乙丙丁").find(token.word.meaning) != std::u32string_view::npos;
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
  if (word.word.kind == WordKind::person) return is_only_person(word, here) && is_only_person(word, there);
  if (names_figure(word, here)) return is_only_figure(word, here) && is_only_figure(word, there);
  if (word.word.kind == WordKind::unit)
    return word.counted && is_known_unit(here.layout.spelling(word), there);
  return is_unlisted(word) && std::ranges::any_of(there.words, same_asked);
}

}  // namespace qdedup::refine
