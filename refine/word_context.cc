#include "refine/word_context.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"
#include "refine/layout_text.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

bool holds_things(char32_t unit) { return is_one_of(unit, rule_words::containers); }

Word hour() {
  Word word = Vocabulary::instance().first_word(rule_words::hour);
  word.length = 1;
  return word;
}

}  // namespace

Word WordContext::settle(Word word, std::size_t begin) {
  const char32_t first = layout_.characters[begin];
  if (word.kind != WordKind::number && word.kind != WordKind::classifier) loosen_one();
  if (word.kind == WordKind::classifier) {
    word.kind = classified() ? WordKind::filler : WordKind::content;
  }
  if (word.length == 1) word.kind = kind_of_character(word, first);
  if (word.length == 1 && first == rule_words::hour_ending && spells(1, U'/')) word = hour();  // 千米/时
  if (word.length == 1 && first == rule_words::pair && counts_pairs(begin))
    word = Vocabulary::instance().first_word(rule_words::two_of_a_kind);
  if (first == rule_words::possessive) settle_asked_dimension();
  settle_sum(word, layout_.spelling(begin, begin + word.length));
  return word;
}

// In 比乙数大3, 大 says 多; 还 adds nothing to 还多3; and the 对 of 2对3 counts no pairs.
void WordContext::settle_before_sign() {
  if (tokens_.size() > clause_begin_ && spells(1, rule_words::pair))
    tokens_.back().word = Vocabulary::instance().first_word({&rule_words::pair, 1});
  if (tokens_.empty() || tokens_.back().word.length != 1) return;
  const char32_t excess = layout_.characters[tokens_.back().begin];
  if (is_one_of(excess, rule_words::more_or_fewer) && spells(2, rule_words::still)) {
    tokens_[tokens_.size() - 2].word.kind = WordKind::calculation_filler;
  }
  if (is_one_of(excess, rule_words::large_or_small) && compares()) {
    tokens_.back().word =
        Vocabulary::instance().first_word(excess == rule_words::large ? rule_words::more : rule_words::fewer);
  }
}

void WordContext::settle_before_end() {
  if (tokens_.size() > clause_begin_ && spells(1, rule_words::after)) {
    tokens_.back().word.kind = WordKind::calculation_filler;
  }
  settle_asked_dimension();
}

// 后 may also stand after an amount: 3小时后, 用去(1/4)后; 上 after a digit's name: 个位上.
bool WordContext::is_complement(const Word& word, std::size_t begin) const {
  if (word.kind != WordKind::complement || tokens_.size() == clause_begin_ || tokens_.back().end != begin) {
    return false;
  }
  const char32_t complement = layout_.characters[begin];
  if (complement == rule_words::after && (follows(WordKind::sign) || follows(WordKind::unit))) return true;
  return follows(WordKind::content) ||
         (complement == rule_words::above && layout_.characters[begin - 1] == rule_words::digit_place);
}

bool WordContext::follows_query() const {
  if (tokens_.empty()) return false;
  const Token& before = tokens_.back();
  return before.word.kind == WordKind::query || (before.counted && before.word.kind == WordKind::filler);
}

// A unit of one character is one only where it measures; else it is likely part of a word: 米 of 江米, 分 of
// 分装, 成 of 锯成. What holds things only counts them in 这袋米, as 段 does in 一段路. A 年 after four
// digits and a 折 after any repeat what these say, 两 after things that are listed counts them, and a clause
// that begins with 去 is told the same without.
WordKind WordContext::kind_of_character(const Word& word, char32_t character) const {
  if (word.kind == WordKind::unit && !follows_amount()) return WordKind::content;
  if (character == rule_words::becomes && !follows_amount()) return WordKind::complement;
  if (word.kind == WordKind::unit && holds_things(character) && follows_pointer())
    return WordKind::calculation_filler;
  if (character == rule_words::section && (follows_pointer() || follows_one()))
    return WordKind::calculation_filler;
  if (character == rule_words::year.front() && follows_year()) return WordKind::filler;
  if (character == rule_words::discount && (follows(WordKind::sign) || follows(WordKind::query)))
    return WordKind::filler;
  if (character == rule_words::two && follows_list()) return WordKind::calculation_filler;
  if (character == rule_words::goes && tokens_.size() == clause_begin_) return WordKind::calculation_filler;
  return word.kind;
}

bool WordContext::follows(WordKind kind) const {
  return !tokens_.empty() && tokens_.back().word.kind == kind;
}

bool WordContext::follows_amount() const {
  if (tokens_.empty()) return false;
  return follows(WordKind::sign) || follows(WordKind::number) || follows(WordKind::query) ||
         counts_or_points(tokens_.back());
}

bool WordContext::follows_year() const {
  const auto digits = std::find_if(tokens_.rbegin(), tokens_.rend(), [](const Token& token) {
    return token.word.kind != WordKind::sign || (token.word.meaning & starts_number) != 0;
  });
  return digits - tokens_.rbegin() == 3 && digits != tokens_.rend() && digits->word.kind == WordKind::sign;
}

// 8对兔子, but not x^2对任意x
bool WordContext::counts_pairs(std::size_t begin) const {
  if (!follows(WordKind::sign) || !is_digit(layout_.characters[begin - 1])) return false;
  return begin + 1 == layout_.characters.size() ||
         !is_one_of(layout_.characters[begin + 1], rule_words::openings_of_all);
}

// 甲、乙 or 甲乙
bool WordContext::follows_list() const {
  const auto letters = [this](const Token& token) {
    return rule_words::labels.find(layout_.spelling(token)) != std::u32string_view::npos;
  };
  const std::size_t size = tokens_.size();
  return size > 1 && (tokens_.back().joined || (letters(tokens_[size - 1]) && letters(tokens_[size - 2])));
}

bool WordContext::follows_one() const { return spells(1, rule_words::one.front()); }

// 这, 这样一 and the like
bool WordContext::follows_pointer() const {
  const std::size_t last = follows_one() ? 2 : 1;
  return tokens_.size() >= last &&
         is_one_of(layout_.characters[tokens_[tokens_.size() - last].begin], rule_words::pointers);
}

// Does the word end in 每, 一, 这 or the like?
bool WordContext::counts_or_points(const Token& token) const {
  return is_one_of(layout_.characters[token.end - 1], rule_words::pointers_and_quantifiers);
}

// Is the last word this character, or the one before the last, and so on?
bool WordContext::spells(std::size_t from_end, char32_t word) const {
  if (tokens_.size() < from_end) return false;
  const Token& token = tokens_[tokens_.size() - from_end];
  return token.word.length == 1 && layout_.characters[token.begin] == word;
}

// Is there a 比 in this clause?
bool WordContext::compares() const {
  return std::any_of(
      tokens_.begin() + static_cast<std::ptrdiff_t>(clause_begin_), tokens_.end(),
      [this](const Token& token) { return layout_.spelling(token) == rule_words::compared_with; });
}

// Is the measure word that comes next one that only counts? A 一 before it counts as little.
bool WordContext::classified() {
  if (tokens_.empty()) return false;
  Token& before = tokens_.back();
  if (before.word.kind == WordKind::sign || before.word.kind == WordKind::query) return true;
  if (follows_one()) {
    before.word.kind = WordKind::filler;
    return true;
  }
  return before.word.kind == WordKind::number ||
         is_one_of(layout_.characters[before.end - 1], rule_words::pointers_to_all);
}

// 一 that is no part of a greater number.
void WordContext::loosen_one() {
  const std::size_t size = tokens_.size();
  if (!follows_one() || (size > 1 && tokens_[size - 2].word.kind == WordKind::number)) return;
  tokens_.back().word.kind = WordKind::filler;
}

// The 和 of 3与5的和是 is a sum.
void WordContext::settle_sum(const Word& next, std::u32string_view spelling) {
  if (!spells(1, rule_words::sum) ||
      !(spells(2, rule_words::possessive) || spells(2, rule_words::classical_of)))
    return;
  const bool named = next.kind == WordKind::sign ||
                     std::ranges::find(rule_words::equalities, spelling) != rule_words::equalities.end();
  if (named || is_one_of(spelling.front(), rule_words::operations))
    tokens_.back().word.kind = WordKind::relation;
}

// The 多 of 多长 asks for a length, at the end of a clause or before 的.
void WordContext::settle_asked_dimension() {
  const std::size_t size = tokens_.size();
  if (size < clause_begin_ + 2 || !spells(2, rule_words::more.front()) || tokens_.back().word.length != 1)
    return;
  if (is_one_of(layout_.characters[tokens_.back().begin], rule_words::asked_dimensions)) {
    tokens_[size - 2].word = Vocabulary::instance().first_word(rule_words::how_many);
  }
}

}  // namespace qdedup::refine
