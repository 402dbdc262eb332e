#include "refine/leeway.h"

#include <algorithm>

#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

// Lengths count words that carry meaning.
constexpr std::size_t most_told_otherwise = 12;     // in one place of a story,
constexpr std::size_t percent_told_otherwise = 30;  // and of all words
constexpr std::size_t most_in_aside = 3;
constexpr std::size_t longest_place_name = 5;  // in characters
constexpr std::size_t fewest_for_repetition = 10;
constexpr std::size_t fewest_for_common_character = 12;
constexpr std::size_t fewest_for_common_word = 20;
constexpr std::size_t fewest_in_story = 40;
constexpr std::size_t fewest_in_calculated_story = 24;
constexpr std::size_t fewest_for_fragments = 34;
constexpr std::size_t fewest_in_long_question = 20;
constexpr std::size_t most_added_to_story = 4;
constexpr std::size_t longest_common_word = 2;    // in characters
constexpr std::uint64_t fewest_questions = 1000;  // below that no character counts as common
constexpr std::uint64_t permille_common = 25;

using Words = std::span<const Token>;

bool one_sided(const Difference& difference) { return difference.a.empty() || difference.b.empty(); }

bool is_unlisted(const Token& token) {
  return token.word.kind == WordKind::content && !Vocabulary::instance().has_opposite(token.word.meaning);
}

bool all_unlisted(const Difference& difference) {
  return std::ranges::all_of(difference.a, is_unlisted) && std::ranges::all_of(difference.b, is_unlisted);
}

bool any_unlisted(const Difference& difference) {
  return std::ranges::any_of(difference.a, is_unlisted) || std::ranges::any_of(difference.b, is_unlisted);
}

// A single character may be part of a name although a list has it, but for signs, numbers and negations.
bool may_be_in_name(const Token& token) {
  const WordKind kind = token.word.kind;
  return is_unlisted(token) || (token.word.length == 1 && kind != WordKind::sign &&
                                kind != WordKind::number && kind != WordKind::negation);
}

bool may_name_place(Words words) {
  std::size_t length = 0;
  for (const Token& token : words) length += token.word.length;
  return words.empty() ||
         (length >= 2 && length <= longest_place_name && std::ranges::all_of(words, may_be_in_name));
}

// Mostly words that no list has; the single characters among them that lists have are likely parts of those.
bool may_be_phrase(Words words) {
  const auto unlisted = static_cast<std::size_t>(std::ranges::count_if(words, is_unlisted));
  return unlisted >= 2 && unlisted * 2 >= words.size() && std::ranges::all_of(words, [](const Token& token) {
           return token.word.length == 1 || is_unlisted(token);
         });
}

// Does it matter on which side of this word another one stands?
bool assigns_role(const Token& token) {
  const WordKind kind = token.word.kind;
  return kind == WordKind::sign || kind == WordKind::number || kind == WordKind::person ||
         kind == WordKind::relation || kind == WordKind::negation;
}

// 长, 宽 and the like may stand before their amount or after it.
bool names_dimension(std::u32string_view word) {
  return word.size() == 1 && std::u32string_view(U"长宽高深厚重").find(word) != std::u32string_view::npos;
}

bool is_amount(const Token& token) {
  return token.word.kind == WordKind::sign || token.word.kind == WordKind::unit;
}

bool starts(const Part& stem, Words words) {
  return !words.empty() && !stem.words.empty() && &words.front() == &stem.words.front();
}

// How many words of the question are joined to others by 和 and the like.
std::ptrdiff_t joined_in_question(const Part& stem) {
  return std::ranges::count_if(stem.words, [](const Token& token) { return token.asks && token.joined; });
}

// Do both ask how many, one more often than the other?
bool asks_more(const Part& a, const Part& b) {
  return a.queries != b.queries && a.queries > 0 && b.queries > 0;
}

bool is_only_person(const Token& person, const Part& stem) {
  return std::ranges::all_of(stem.words, [&person](const Token& token) {
    return token.word.kind != WordKind::person || token.word == person.word;
  });
}

// A unit that the question has elsewhere; for 平方米 and 立方米, 米 will do.
bool is_known_unit(std::u32string_view unit, const Part& stem) {
  if (unit.size() > 2 && (unit.starts_with(U"平方") || unit.starts_with(U"立方"))) unit.remove_prefix(2);
  return std::ranges::any_of(stem.words, [&](const Token& token) {
    return token.word.kind == WordKind::unit && stem.layout.spelling(token) == unit;
  });
}

// The name of the only person, a unit that is known from elsewhere, or a word that the other question has
// too.
bool is_echoed(const Token& word, const Part& here, const Part& there) {
  const auto same = [&word](const Token& token) { return token.word == word.word; };
  const auto same_asked = [&](const Token& token) { return (token.asks || word.counted) && same(token); };
  if (!word.asks) return false;
  if (word.word.kind == WordKind::person) return is_only_person(word, here) && is_only_person(word, there);
  if (word.word.kind == WordKind::unit)
    return word.counted && is_known_unit(here.layout.spelling(word), there);
  return word.word.kind == WordKind::content && std::ranges::any_of(there.words, same_asked);
}

}  // namespace

bool Leeway::exempts(const Difference& difference) const {
  return calculates_ && (names_place(difference) || is_echo(difference) || adds_to_long_question(difference));
}

bool Leeway::overlooks_quantities(const Difference& difference) const {
  if (difference.asks()) return false;
  if (may_be_phrase(difference.a) && may_be_phrase(difference.b)) return true;
  const auto relates = [](const Token& token) { return token.word.kind == WordKind::relation; };
  return one_sided(difference) && !difference.replaces_total && length() >= fewest_in_calculated_story &&
         difference.a.size() + difference.b.size() <= most_in_aside &&
         std::ranges::none_of(difference.a, relates) && std::ranges::none_of(difference.b, relates);
}

bool Leeway::may_mention_elsewhere(const Difference& difference) const {
  const bool one_character =
      spelling(a_.layout, difference.a).size() == 1 && spelling(b_.layout, difference.b).size() == 1;
  return one_character && !difference.asks() && length() >= fewest_for_fragments;
}

bool Leeway::allows_move(const Difference& from, const Difference& to) const {
  if (!from.b.empty() || !to.a.empty() || from.a.empty() || from.asks() || to.asks()) return false;
  if (!std::ranges::equal(from.a, to.b, {}, &Token::word, &Token::word)) return false;
  const std::size_t begin = std::min(from.a.front().begin, to.a_at);
  const std::size_t end = std::max(from.a.back().end, to.a_at);
  const bool dimension = names_dimension(a_.layout.spelling(from.a.front())) && from.a.size() == 1;
  return std::ranges::none_of(a_.words, [&](const Token& token) {
    const bool between =
        token.begin >= begin && token.end <= end && !(dimension && &token == &from.a.front());
    return between && (dimension ? !is_amount(token) : assigns_role(token));
  });
}

bool Leeway::allows_wording(const Difference& difference) const {
  return calculates_ ? is_told_otherwise(difference) : is_slight(difference);
}

bool Leeway::names_place(const Difference& difference) const {
  return !difference.asks() && (starts(a_, difference.a) || starts(b_, difference.b)) &&
         may_name_place(difference.a) && may_name_place(difference.b) && any_unlisted(difference);
}

bool Leeway::is_echo(const Difference& difference) const {
  if (!one_sided(difference) || asks_more(a_, b_)) return false;
  if (joined_in_question(a_) != joined_in_question(b_)) return false;
  if (difference.asks() && all_unlisted(difference) && a_.totals == b_.totals && is_repetition(difference))
    return true;
  return std::ranges::all_of(difference.a, [&](const Token& word) { return is_echoed(word, a_, b_); }) &&
         std::ranges::all_of(difference.b, [&](const Token& word) { return is_echoed(word, b_, a_); });
}

// A word or two more in the clause that asks, as long as no more is asked.
bool Leeway::adds_to_long_question(const Difference& difference) const {
  return one_sided(difference) && difference.asks() && all_unlisted(difference) &&
         length() >= fewest_in_long_question && more(difference).size() <= longest_common_word &&
         !asks_more(a_, b_) && joined_in_question(a_) == joined_in_question(b_);
}

bool Leeway::is_told_otherwise(const Difference& difference) const {
  const std::size_t words = std::max(difference.a.size(), difference.b.size());
  return !difference.asks() && words <= most_told_otherwise &&
         words * 100 <= length() * percent_told_otherwise;
}

bool Leeway::is_slight(const Difference& difference) const {
  if (!all_unlisted(difference)) return false;
  if (!difference.asks() && length() >= fewest_in_story) {
    const std::size_t words = difference.a.size() + difference.b.size();
    return words <= (one_sided(difference) ? most_added_to_story : 2);
  }
  if (!one_sided(difference)) return false;
  const std::u32string_view added = more(difference);
  const std::size_t fewest = added.size() == 1 ? fewest_for_common_character : fewest_for_common_word;
  return is_repetition(difference) ||
         (length() >= fewest && added.size() <= longest_common_word && is_common(added));
}

// Words that the other stem has elsewhere.
bool Leeway::is_repetition(const Difference& difference) const {
  const Part& there = difference.a.empty() ? a_ : b_;
  return more(difference).size() >= 2 && length() >= fewest_for_repetition &&
         there.layout.spelling(there.begin, there.end).find(more(difference)) != std::u32string_view::npos;
}

bool Leeway::is_common(std::u32string_view characters) const {
  return bank_.questions() >= fewest_questions && std::ranges::all_of(characters, [this](char32_t c) {
           return bank_.count(c) * 1000 >= bank_.questions() * permille_common;
         });
}

// The words of the longer stem, without digits, letters and symbols.
std::size_t Leeway::length() const {
  const auto count = [](const Part& part) {
    return std::ranges::count_if(part.words,
                                 [](const Token& token) { return token.word.kind != WordKind::sign; });
  };
  return static_cast<std::size_t>(std::max(count(a_), count(b_)));
}

// What one side of a one-sided difference has.
std::u32string_view Leeway::more(const Difference& difference) const {
  return difference.a.empty() ? spelling(b_.layout, difference.b) : spelling(a_.layout, difference.a);
}

}  // namespace qdedup::refine
