#include "refine/word_doubts.h"

#include <algorithm>
#include <optional>

#include "refine/difference_words.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

std::u32string meanings_of_kind(std::span<const Token> tokens, WordKind kind) {
  std::u32string meanings;
  for (const Token& token : tokens) {
    if (token.word.kind == kind) meanings.push_back(token.word.meaning);
  }
  return meanings;
}

bool differ_in(const Difference& difference, WordKind kind) {
  return meanings_of_kind(difference.a, kind) != meanings_of_kind(difference.b, kind);
}

// 正确 and 不正确 are a word and its negation; 多 and 少 two words.
std::string opposition(const QuestionLayout& x_layout, const Token& x, const QuestionLayout& y_layout,
                       const Token& y) {
  const std::u32string_view x_word = x_layout.spelling(x);
  const std::u32string_view y_word = y_layout.spelling(y);
  if (x_word.ends_with(y_word) || y_word.ends_with(x_word)) return "negation";
  return "polarity:" + to_utf8(x_word) + "/" + to_utf8(y_word);
}

// The first pair of opposites that the two sides hold.
std::optional<std::string> polarity(const QuestionLayout& a, const QuestionLayout& b,
                                    const Difference& difference) {
  const Vocabulary& vocabulary = Vocabulary::instance();
  for (const Token& x : difference.a) {
    for (const Token& y : difference.b) {
      if (vocabulary.opposites(x.word.meaning, y.word.meaning)) return opposition(a, x, b, y);
      if (vocabulary.opposites(y.word.meaning, x.word.meaning)) return opposition(b, y, a, x);
    }
  }
  return std::nullopt;
}

// The meanings of the words that `matters` chooses, sorted.
template <class Matters>
std::u32string chosen_meanings(std::span<const Token> tokens, Matters matters) {
  std::u32string meanings;
  for (const Token& token : tokens) {
    if (matters(token)) meanings.push_back(token.word.meaning);
  }
  std::ranges::sort(meanings);
  return meanings;
}

template <class Matters>
bool choose_differently(const Difference& difference, Matters matters) {
  return chosen_meanings(difference.a, matters) != chosen_meanings(difference.b, matters);
}

bool relates(const Token& token) {
  return token.word.kind == WordKind::relation || Vocabulary::instance().has_opposite(token.word.meaning);
}

// Buying and selling, which a story may mention or not.
bool trades(const Token& token) {
  const Vocabulary& vocabulary = Vocabulary::instance();
  return token.word.meaning == vocabulary.first_word(rule_words::buys).meaning ||
         token.word.meaning == vocabulary.first_word(rule_words::sells).meaning;
}

bool names_quantity(const Token& token) { return token.word.kind == WordKind::quantity; }

// Relations always matter; quantities where one stands for another, and in the question.
bool differs_in_quantities(const Difference& difference) {
  if (is_complement(difference)) return false;
  const bool one_sided = (difference.a.empty() || difference.b.empty()) && !difference.replaces_total;
  const bool mentioned = one_sided && !difference.asks();
  const bool goes_on = difference.a.size() + difference.b.size() > 1;  // 再行, where 再 alone says little
  const auto matters = [mentioned, goes_on](const Token& token) {
    if (goes_on && token.word.meaning == rule_words::again) return true;
    return relates(token) && !(mentioned && trades(token));
  };
  if (choose_differently(difference, matters)) return true;
  return (!one_sided || difference.asks()) && choose_differently(difference, names_quantity);
}

// Are both a character that no list has, read alike?
bool may_sound_alike(const Token& x, const Token& y) {
  const auto unlisted = [](const Token& token) {
    return token.word.length == 1 && token.word.kind == WordKind::content &&
           !Vocabulary::instance().has_opposite(token.word.meaning);
  };
  return unlisted(x) && unlisted(y) && Vocabulary::instance().homophones(x.word.meaning, y.word.meaning);
}

}  // namespace

std::vector<std::string> word_doubts(const QuestionLayout& a, const QuestionLayout& b,
                                     const Difference& difference, bool calculates) {
  std::vector<std::string> doubts;
  if (differ_in(difference, WordKind::sign)) doubts.emplace_back("number-moved");
  if (differ_in(difference, WordKind::negation)) doubts.emplace_back("negation");
  if (auto opposites = polarity(a, b, difference);
      opposites && std::ranges::find(doubts, *opposites) == doubts.end()) {
    doubts.push_back(*std::move(opposites));
  }
  if (differ_in(difference, WordKind::number)) doubts.emplace_back("number-word");
  if (differ_in(difference, WordKind::unit)) doubts.emplace_back("unit");
  if (doubts.empty() && calculates && differs_in_quantities(difference)) doubts.emplace_back("quantity");
  return doubts;
}

bool is_misspelling(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference) {
  const std::u32string_view x = spelling(a, difference.a);
  const std::u32string_view y = spelling(b, difference.b);
  if (std::ranges::equal(difference.a, difference.b, may_sound_alike)) return true;
  return std::ranges::equal(
      x, y, [](char32_t c, char32_t d) { return c == d || Vocabulary::instance().confusable(c, d); });
}

}  // namespace qdedup::refine
