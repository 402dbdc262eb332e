#include "refine/difference_tolerance.h"

#include <algorithm>

#include "refine/difference_words.h"
#include "refine/implied_words.h"
#include "refine/question_echo.h"
#include "refine/renaming.h"
#include "refine/rule_words.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

// Lengths count words that carry meaning.
constexpr std::size_t max_told_otherwise = 12;      // in one place of a story,
constexpr std::size_t percent_told_otherwise = 30;  // and of all words
constexpr std::size_t max_in_aside = 4;
constexpr std::size_t min_for_repetition = 10;
constexpr std::size_t min_for_common_character = 12;
constexpr std::size_t min_for_common_word = 20;
constexpr std::size_t min_in_story = 40;
constexpr std::size_t min_in_calculated_story = 18;
constexpr std::size_t min_for_fragments = 34;
constexpr std::size_t min_in_long_question = 12;
constexpr std::size_t max_added_to_story = 4;
constexpr std::size_t longest_common_word = 2;  // in characters
constexpr std::uint64_t min_questions = 1000;   // below that no character counts as common
constexpr std::uint64_t permille_common = 25;

// A price that the other stem names elsewhere.
bool repeats_price(Words words, const Part& here, const Part& there) {
  return words.size() == 1 && words.front().word.kind == WordKind::quantity &&
         here.layout.spelling(words.front()).ends_with(rule_words::price_ending) &&
         std::ranges::find(there.words, words.front().word, &Token::word) != there.words.end();
}

// Does it matter on which side of this word another one stands?
bool assigns_role(const Token& token) {
  const WordKind kind = token.word.kind;
  return kind == WordKind::sign || kind == WordKind::number || kind == WordKind::person ||
         kind == WordKind::relation || kind == WordKind::negation;
}

// 长, 宽 and the like may stand before their amount or after it.
bool names_dimension(std::u32string_view word) {
  return word.size() == 1 && rule_words::movable_dimensions.find(word) != std::u32string_view::npos;
}

// Does `there` have the character together with one of its neighbours? Then both are likely a word.
bool names_thing(const Part& here, Words character, const Part& there) {
  const std::size_t at = character.front().begin;
  const std::u32string_view text = there.layout.characters;
  const auto has = [&](std::size_t begin) {
    return begin >= here.begin && begin + 2 <= here.end &&
           text.find(here.layout.spelling(begin, begin + 2)) != std::u32string_view::npos;
  };
  return has(at) || (at > 0 && has(at - 1));
}

bool is_amount(const Token& token) {
  return token.word.kind == WordKind::sign || token.word.kind == WordKind::unit;
}

bool starts(const Part& stem, Words words) {
  return !words.empty() && !stem.words.empty() && &words.front() == &stem.words.front();
}
}  // namespace

bool DifferenceTolerance::exempts(const Difference& difference) const {
  return calculates_ && (difference.says_shorter || is_complement(difference) || ends_verb(difference) ||
                         is_implied(difference, longer(difference), shorter(difference)) ||
                         names_place(difference) || names_all(difference) || is_echo(difference) ||
                         distributes(difference) || adds_to_long_question(difference));
}

bool DifferenceTolerance::overlooks_quantities(const Difference& difference) const {
  if (difference.asks()) return false;
  if (may_be_phrase(difference.a) && may_be_phrase(difference.b)) return true;
  if (one_sided(difference) && !difference.replaces_total) {
    const Words words = added(difference);
    if (is_description(words) || repeats_price(words, longer(difference), shorter(difference))) return true;
  }
  const auto relates = [](const Token& token) {
    const bool opposed = token.word.length > 1 && Vocabulary::instance().has_opposite(token.word.meaning);
    return token.word.kind == WordKind::relation || opposed;
  };
  return one_sided(difference) && !difference.replaces_total && length() >= min_in_calculated_story &&
         difference.a.size() + difference.b.size() <= max_in_aside &&
         std::ranges::none_of(difference.a, relates) && std::ranges::none_of(difference.b, relates);
}

bool DifferenceTolerance::may_mention_elsewhere(const Difference& difference) const {
  const bool one_character =
      spelling(a_.layout, difference.a).size() == 1 && spelling(b_.layout, difference.b).size() == 1;
  return one_character && !difference.asks() && length() >= min_for_fragments &&
         !names_thing(a_, difference.a, b_) && !names_thing(b_, difference.b, a_);
}

bool DifferenceTolerance::allows_move(const Difference& from, const Difference& to) const {
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

bool DifferenceTolerance::allows_wording(const Difference& difference) const {
  return calculates_ ? is_told_otherwise(difference) : is_slight(difference);
}

// 得 of 分得, 成 of 锯成: one text has the verb alone.
bool DifferenceTolerance::ends_verb(const Difference& difference) const {
  if (difference.a.size() != 1 || difference.b.size() != 1 || !all_unlisted(difference)) return false;
  std::u32string_view x = spelling(a_.layout, difference.a);
  std::u32string_view y = spelling(b_.layout, difference.b);
  if (x.size() > y.size()) std::swap(x, y);
  return y.size() == x.size() + 1 && y.starts_with(x) &&
         rule_words::verb_endings.find(y.back()) != std::u32string_view::npos;
}

bool DifferenceTolerance::names_place(const Difference& difference) const {
  return !difference.asks() && (starts(a_, difference.a) || starts(b_, difference.b)) &&
         may_name_place(difference.a) && may_name_place(difference.b) && any_unlisted(difference) &&
         !renames_part(a_.layout, b_.layout, difference);
}

// 题 of “做对几道题，做错几道题”
bool DifferenceTolerance::counts_in_turn(const Difference& difference) const {
  return std::ranges::all_of(added(difference), &Token::counted) && asks_in_turn(a_, b_);
}

bool DifferenceTolerance::is_echo(const Difference& difference) const {
  if (!one_sided(difference) || !(asks_for_as_many(a_, b_) || counts_in_turn(difference))) return false;
  if (any_unlisted(difference) && !asks_about_something(shorter(difference))) return false;
  if (difference.asks() && all_unlisted(difference) && a_.totals == b_.totals && is_repetition(difference))
    return true;
  return std::ranges::all_of(difference.a, [&](const Token& word) { return is_echoed(word, a_, b_); }) &&
         std::ranges::all_of(difference.b, [&](const Token& word) { return is_echoed(word, b_, a_); });
}

// 苹果 of 是苹果的2倍: what a number is taken of.
bool DifferenceTolerance::names_base(const Difference& difference) const {
  if (!one_sided(difference) || !any_unlisted(difference)) return false;
  const QuestionLayout& layout = longer(difference).layout;
  const std::size_t end = added(difference).back().end;
  const auto next = std::ranges::lower_bound(layout.stem, end + 1, {}, &Token::begin);
  return end < layout.characters.size() && layout.characters[end] == rule_words::possessive &&
         next != layout.stem.end() && next->begin == end + 1 && next->word.kind == WordKind::sign;
}

// 甲乙 two cars are all cars that there are.
bool DifferenceTolerance::names_all(const Difference& difference) const {
  if (!one_sided(difference) || difference.a.size() + difference.b.size() < 2) return false;
  const Words words = added(difference);
  return std::ranges::all_of(words, is_letter) && words.front().word != words[1].word &&
         std::ranges::all_of(shorter(difference).words, [words](const Token& token) {
           return !is_letter(token) || std::ranges::find(words, token.word, &Token::word) != words.end();
         });
}

// One asks 各, the other 分别.
bool DifferenceTolerance::distributes(const Difference& difference) const {
  return one_sided(difference) && more(difference) == rule_words::each &&
         asks_with(shorter(difference), rule_words::respectively) &&
         !asks_with(longer(difference), rule_words::respectively);
}

// A word or two more in the clause that asks, as long as no more is asked.
bool DifferenceTolerance::adds_to_long_question(const Difference& difference) const {
  return one_sided(difference) && difference.asks() && all_unlisted(difference) &&
         length() >= min_in_long_question && more(difference).size() <= longest_common_word &&
         asks_about_something(shorter(difference)) && asks_for_as_many(a_, b_);
}

bool DifferenceTolerance::is_told_otherwise(const Difference& difference) const {
  const std::size_t words = std::max(difference.a.size(), difference.b.size());
  return !difference.asks() && !names_base(difference) && words <= max_told_otherwise &&
         words * 100 <= length() * percent_told_otherwise;
}

bool DifferenceTolerance::is_slight(const Difference& difference) const {
  if (!all_unlisted(difference)) return false;
  if (!difference.asks() && length() >= min_in_story) {
    const std::size_t words = difference.a.size() + difference.b.size();
    return words <= (one_sided(difference) ? max_added_to_story : 2);
  }
  if (!one_sided(difference)) return false;
  const std::u32string_view added = more(difference);
  const std::size_t fewest = added.size() == 1 ? min_for_common_character : min_for_common_word;
  return is_repetition(difference) ||
         (length() >= fewest && added.size() <= longest_common_word && is_common(added));
}

// Words that the other stem has elsewhere.
bool DifferenceTolerance::is_repetition(const Difference& difference) const {
  const Part& there = shorter(difference);
  return more(difference).size() >= 2 && length() >= min_for_repetition &&
         there.layout.spelling(there.begin, there.end).find(more(difference)) != std::u32string_view::npos;
}

bool DifferenceTolerance::is_common(std::u32string_view characters) const {
  return bank_.questions() >= min_questions && std::ranges::all_of(characters, [this](char32_t c) {
           return bank_.count(c) * 1000 >= bank_.questions() * permille_common;
         });
}

// The words of the longer stem, without digits, letters and symbols.
std::size_t DifferenceTolerance::length() const {
  const auto count = [](const Part& part) {
    return std::ranges::count_if(part.words,
                                 [](const Token& token) { return token.word.kind != WordKind::sign; });
  };
  return static_cast<std::size_t>(std::max(count(a_), count(b_)));
}

const Part& DifferenceTolerance::longer(const Difference& difference) const {
  return difference.a.empty() ? b_ : a_;
}

const Part& DifferenceTolerance::shorter(const Difference& difference) const {
  return difference.a.empty() ? a_ : b_;
}

// What one side of a one-sided difference has.
std::u32string_view DifferenceTolerance::more(const Difference& difference) const {
  return spelling(longer(difference).layout, added(difference));
}

}  // namespace qdedup::refine
