#include "refine/asked.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "refine/rule_words.h"
#include "refine/unicode.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

using Measures = std::set<std::u32string_view>;

// 千克 of 求苹果的千克数
bool is_number_of(const QuestionLayout& layout, const Token& word) {
  return word.asks && word.end < layout.characters.size() &&
         layout.characters[word.end] == rule_words::number;
}

// The units and measure words that are asked for: 多少米, 多少根, 千克数.
Measures asked_measures(const QuestionLayout& layout) {
  Measures measures;
  for (const Token& word : layout.stem) {
    if (!word.counted && !is_number_of(layout, word)) continue;
    const std::u32string_view spelling = layout.spelling(word);
    if (word.word.kind == WordKind::unit ||
        Vocabulary::instance().first_word(spelling).kind == WordKind::classifier)
      measures.insert(spelling);
  }
  return measures;
}

// Are numbers given in this unit, or in that of which it is a power? Where 厘米 is, 平方厘米 goes without
// saying.
bool is_given(const QuestionLayout& layout, std::u32string_view unit) {
  return std::ranges::any_of(layout.stem, [&](const Token& word) {
    if (word.counted || word.word.kind != WordKind::unit) return false;
    const std::u32string_view given = layout.spelling(word);
    return unit == given || std::ranges::any_of(rule_words::powers, [&](std::u32string_view power) {
             return unit.starts_with(power) && unit.substr(power.size()) == given;
           });
  });
}

// 多远 asks for no 小时.
bool fits_dimensions(const QuestionLayout& layout, std::u32string_view unit) {
  return std::ranges::all_of(layout.stem, [&](const Token& word) {
    const char32_t dimension = layout.characters[word.begin];
    if (!word.counted || word.word.length != 1 || !is_one_of(dimension, rule_words::asked_dimensions))
      return true;
    return (is_one_of(dimension, rule_words::lengths) && is_one_of(unit.back(), rule_words::length_units)) ||
           (is_one_of(dimension, rule_words::weights) && is_one_of(unit.back(), rule_words::weight_units));
  });
}

void loosen_beside(const QuestionLayout& other, const Measures& asked, const Measures& asked_there,
                   QuestionLayout& layout) {
  if (asks_for_share(other, other.stem) || !std::ranges::includes(asked, asked_there)) return;
  for (Token& word : layout.stem) {
    const std::u32string_view unit = layout.spelling(word);
    if (word.counted && word.word.kind == WordKind::unit && !asked_there.contains(unit) &&
        is_given(other, unit) && fits_dimensions(other, unit))
      word.word.kind = WordKind::calculation_filler;
  }
}

}  // namespace

bool is_query(const Token& word) {
  return word.word.kind == WordKind::query &&
         Vocabulary::instance().asked_by(word.word.meaning) != rule_words::request;
}

bool ask_for_others(const QuestionLayout& a, const QuestionLayout& b) {
  const Vocabulary& vocabulary = Vocabulary::instance();
  static const std::set<char32_t> telling = [&vocabulary] {
    std::set<char32_t> made;
    for (const std::u32string_view query : rule_words::telling_queries)
      made.insert(vocabulary.asked_by(vocabulary.first_word(query).meaning));
    return made;
  }();
  const auto asked = [&](const QuestionLayout& layout) {
    std::set<char32_t> found;
    for (const Token& word : layout.stem) {
      if (!is_query(word)) continue;
      const char32_t asked_for = vocabulary.asked_by(word.word.meaning);
      if (telling.contains(asked_for)) found.insert(asked_for);
    }
    return found;
  };
  const std::set<char32_t> of_a = asked(a);
  const std::set<char32_t> of_b = asked(b);
  return !std::ranges::includes(of_a, of_b) && !std::ranges::includes(of_b, of_a);
}

bool asks_for_share(const QuestionLayout& layout, Words words) {
  return std::ranges::any_of(words, [&](const Token& word) {
    return layout.spelling(word).ends_with(rule_words::of_how_many) && word.word.kind != WordKind::query;
  });
}

Asked asked_by(const QuestionLayout& layout) {
  Asked asked;
  std::int32_t requests = 0;   // clauses that ask by 求 alone
  bool only_requests = false;  // this one, up to here
  bool has_asked = false;      // just now, so that 、 begins another question: 多少只鸡、多少只兔
  const Token* before = nullptr;
  for (const Token& word : layout.stem) {
    if (word.begins) {
      requests += only_requests ? 1 : 0;
      only_requests = has_asked = false;
    }
    // Not 统一的、集权的.
    const bool describes = before != nullptr && layout.spelling(*before).front() == rule_words::possessive;
    if (word.asks && word.joined && !describes && !has_asked) ++asked.joined;
    const bool queries = word.asks && is_query(word);
    asked.queries += queries ? 1 : 0;
    if (word.asks && word.word.kind == WordKind::query) only_requests = !queries;
    const bool goes_on = !word.joined && (word.counted || word.word.kind == WordKind::filler);
    has_asked = queries || (has_asked && goes_on);
    before = &word;
  }
  requests += only_requests ? 1 : 0;
  asked.things = std::max(asked.queries + requests, 1) + asked.joined;
  return asked;
}

void loosen_asked_units(QuestionLayout& a, QuestionLayout& b) {
  const Measures of_a = asked_measures(a);
  const Measures of_b = asked_measures(b);
  loosen_beside(b, of_a, of_b, a);
  loosen_beside(a, of_b, of_a, b);
}

}  // namespace qdedup::refine
