#include "refine/implied_words.h"

#include <algorithm>

#include "refine/difference_words.h"
#include "refine/rule_words.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

char32_t meaning(std::u32string_view word) { return Vocabulary::instance().first_word(word).meaning; }

bool means_one_of(const Token& token, std::u32string_view characters) {
  return token.word.length == 1 && characters.find(token.word.meaning) != std::u32string_view::npos;
}

// The words that stand before and behind some, fillers too.
std::span<const Token> words_before(const Part& part, Words words) {
  const auto first = std::ranges::lower_bound(part.layout.stem, words.front().begin, {}, &Token::begin);
  return {part.layout.stem.begin(), first};
}

std::span<const Token> words_behind(const Part& part, Words words) {
  const auto next = std::ranges::lower_bound(part.layout.stem, words.back().end, {}, &Token::begin);
  return {next, part.layout.stem.end()};
}

bool has_meaning(const Part& part, char32_t meaning) {
  return std::ranges::find(part.words, meaning, [](const Token& token) { return token.word.meaning; }) !=
         part.words.end();
}

// The operation whose result has this name; 0 for none.
char32_t operation_of(std::u32string_view result) {
  if (result == rule_words::quotient) return meaning(rule_words::divided_by);
  if (result == rule_words::product) return meaning(rule_words::times);
  if (result == rule_words::difference) return meaning(rule_words::minus);
  return 0;
}

// Not the 差 of “3与5的差”, which is the operation itself.
bool names_result(Words words, const Part& here, const Part& there) {
  if (words.size() != 1) return false;
  const char32_t operation = operation_of(here.layout.spelling(words.front()));
  if (operation == 0 || !has_meaning(there, operation)) return false;
  const std::span<const Token> before = words_before(here, words);
  const std::span<const Token> behind = words_behind(here, words);
  return !before.empty() &&
         here.layout.spelling(before.back()) != std::u32string_view(&rule_words::possessive, 1) &&
         !behind.empty() &&
         (behind.front().word.kind == WordKind::sign || behind.front().word.kind == WordKind::query ||
          means_one_of(behind.front(), rule_words::links_to_result));
}

// Does an amount stand before the words that is said to be left? 还剩5米, 还剩多少页
bool follows_what_is_left(Words words, const Part& here) {
  std::span<const Token> before = words_before(here, words);
  const auto is_number = [](const Token& token) {
    return token.word.kind == WordKind::sign || token.word.kind == WordKind::query;
  };
  if (!before.empty() && !is_number(before.back())) before = before.first(before.size() - 1);  // its unit
  const auto left = std::find_if_not(before.rbegin(), before.rend(), is_number);
  return left != before.rend() && left != before.rbegin() &&
         left->word.meaning == meaning(rule_words::left_over);
}

// 没有修, 没看完
bool is_not_done(Words words) {
  const char32_t not_yet = meaning(rule_words::not_done);
  if (words.size() < 2 || words.size() > 4) return false;
  const bool negated =
      words.front().word.meaning == not_yet || words.front().word.meaning == rule_words::not_yet;
  return negated && std::ranges::all_of(words.subspan(1), [](const Token& token) {
           return is_unlisted(token) || token.complements || means_one_of(token, rule_words::finished);
         });
}

bool names_what_is_left(Words words, const Part& here, const Part& there) {
  return is_not_done(words) && follows_what_is_left(words, here) &&
         has_meaning(there, meaning(rule_words::left_over));
}

bool changes(const Token& token) {
  return Vocabulary::instance().has_opposite(token.word.meaning) ||
         token.word.meaning == meaning(rule_words::saves);
}

// 比原来 and 比计划, as long as the rest of the text speaks of it too
bool names_reference(Words words, const Part& here, const Part& there) {
  if (words.size() != 2 || !means_one_of(words.front(), rule_words::compared_with)) return false;
  const char32_t reference = words.back().word.meaning;
  const bool known =
      std::ranges::find(rule_words::references, reference, meaning) != rule_words::references.end();
  const std::span<const Token> behind = words_behind(here, words);
  return known && has_meaning(there, reference) && !behind.empty() && changes(behind.front());
}

bool measures_otherwise(const Token& token) {
  return means_one_of(token, rule_words::other_dimensions) ||
         std::ranges::find(rule_words::other_measures, token.word.meaning, meaning) !=
             rule_words::other_measures.end();
}

bool is_length(std::u32string_view unit) {
  return std::ranges::find(rule_words::length_units, unit) != rule_words::length_units.end();
}

bool is_weight(std::u32string_view unit) {
  return std::ranges::find(rule_words::weight_units, unit) != rule_words::weight_units.end();
}

// The unit of the amount, given or asked for, that stands next; empty for none.
std::u32string_view unit_of_next(const Part& part, std::span<const Token> words) {
  const auto amount = std::ranges::find_if_not(words, [](const Token& t) {
    return t.word.kind == WordKind::filler || t.word.kind == WordKind::calculation_filler;
  });
  const auto unit = std::find_if_not(amount, words.end(), [](const Token& token) {
    return token.word.kind == WordKind::sign || token.word.kind == WordKind::query;
  });
  if (unit == amount || unit == words.end()) return {};
  return part.layout.spelling(*unit);
}

// 长 right before an amount of metres, 重 before one of kilograms
bool names_measure(Words words, const Part& here, const Part& there) {
  if (words.size() != 1) return false;
  const std::u32string_view measure = here.layout.spelling(words.front());
  const std::u32string_view unit = unit_of_next(here, words_behind(here, words));
  if (measure == rule_words::weight) return is_weight(unit);
  return words.front().word.meaning == meaning(rule_words::length) && is_length(unit) &&
         std::ranges::none_of(here.words, measures_otherwise) &&
         std::ranges::none_of(there.words, measures_otherwise);
}

// 到 right before a year, not that of 增加到
bool names_moment(Words words, const Part& here) {
  if (words.size() != 1 || here.layout.spelling(words.front()) != rule_words::until) return false;
  const std::span<const Token> before = words_before(here, words);
  if (!before.empty() && changes(before.back())) return false;
  const std::span<const Token> behind = words_behind(here, words);
  const auto digit = [](const Token& token) { return token.word.kind == WordKind::sign; };
  const auto year = std::ranges::find_if_not(behind, digit);
  return year - behind.begin() == 4 && year != behind.end() &&
         here.layout.spelling(*year) == rule_words::year;
}

// What changes on average, said right before 平均: 批发价 of “批发价平均每次下调的百分率”. The text speaks of
// it before.
bool names_subject(const Difference& difference, Words words, const Part& here, const Part& there) {
  const std::u32string_view text = there.layout.spelling(there.begin, there.end);
  const std::span<const Token> behind = words_behind(here, words);
  return difference.asks() && words.size() > 1 &&
         here.layout.spelling(words.back()).ends_with(rule_words::price_ending) && !behind.empty() &&
         here.layout.spelling(behind.front()).starts_with(rule_words::average) &&
         std::ranges::all_of(words, [&](const Token& token) {
           return text.find(here.layout.spelling(token)) != std::u32string_view::npos;
         });
}

bool asks_each(const Part& stem) {
  const auto each = [](const Token& token) {
    return token.asks && token.word.meaning == rule_words::each.front();
  };
  return std::ranges::any_of(stem.words, each);
}

// A measure word, no unit of time
bool holds_or_counts(std::u32string_view word) {
  return word.size() == 1 && rule_words::distributed_units.find(word) != std::u32string_view::npos;
}

// 每盒 of “大盒和小盒每盒各装多少瓶”
bool names_each(const Difference& difference, Words words, const Part& here, const Part& there) {
  const char32_t per = meaning(rule_words::per);
  return difference.asks() && words.size() == 2 && asks_each(here) && asks_each(there) &&
         std::ranges::count(words, per, [](const Token& token) { return token.word.meaning; }) == 1 &&
         std::ranges::all_of(words, [&](const Token& token) {
           return token.word.meaning == per ||
                  (holds_or_counts(here.layout.spelling(token)) && has_meaning(there, token.word.meaning));
         });
}

// 相向而行, where they meet anyway
bool names_direction(Words words, const Part& here, const Part& there) {
  const char32_t meeting = meaning(rule_words::meeting);
  return words.size() == 1 && words.front().word.meaning == meaning(rule_words::towards) &&
         has_meaning(here, meeting) && has_meaning(there, meeting);
}

// What the text is about, as its only 一 shows: 电线 of “一根电线长24米，用去电线多少米”
bool names_topic(const Difference& difference, Words words, const Part& here, const Part& there) {
  if (!difference.asks() || !all_unlisted(difference)) return false;
  const auto one = [&](const Token& token) { return there.layout.spelling(token) == rule_words::one; };
  const Tokens& tokens = there.layout.stem;
  const auto first = std::ranges::find_if(tokens, one);
  if (first == tokens.end() || std::any_of(first + 1, tokens.end(), one) || first + 1 == tokens.end())
    return false;
  const std::u32string_view name = here.layout.spelling(words.front().begin, words.back().end);
  const std::size_t begin = (first + 1)->end;
  return (first + 1)->word.kind == WordKind::filler &&
         there.layout.spelling(begin, begin + name.size()) == name;
}

bool is_word(const QuestionLayout& layout, Words words, std::u32string_view word) {
  return words.size() == 1 && layout.spelling(words.front()) == word;
}

// Does [begin, end) end in a number with 用 before it?
bool divides_with(const QuestionLayout& layout, std::size_t begin, std::size_t end) {
  const std::u32string_view text = layout.spelling(begin, std::max(begin, end));
  const std::size_t before = text.find_last_not_of(U"0123456789.");
  return before != std::u32string_view::npos && text[before] == rule_words::taking &&
         before + 1 < text.size();
}

}  // namespace

bool divides_alike(const QuestionLayout& a, const QuestionLayout& b, const Difference& before,
                   const Difference& behind) {
  if (is_word(a, before.a, rule_words::divided_by) && before.b.empty() && behind.a.empty() &&
      is_word(b, behind.b, rule_words::divides))
    return divides_with(b, before.b_at, behind.b.front().begin);
  if (is_word(b, before.b, rule_words::divided_by) && before.a.empty() && behind.b.empty() &&
      is_word(a, behind.a, rule_words::divides))
    return divides_with(a, before.a_at, behind.a.front().begin);
  return false;
}

bool is_implied(const Difference& difference, const Part& here, const Part& there) {
  if (!one_sided(difference)) return false;
  const Words words = added(difference);
  return !words.empty() &&
         (names_result(words, here, there) || names_what_is_left(words, here, there) ||
          names_reference(words, here, there) || names_measure(words, here, there) ||
          names_moment(words, here) || names_topic(difference, words, here, there) ||
          names_direction(words, here, there) || names_each(difference, words, here, there) ||
          names_subject(difference, words, here, there));
}

}  // namespace qdedup::refine
