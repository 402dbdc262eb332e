#include "refine/word_edits.h"

#include <algorithm>
#include <string>

#include "refine/alignment.h"
#include "refine/character_class.h"
#include "refine/rule_words.h"

namespace qdedup::refine {
namespace {

std::u32string meanings_of(const Tokens& words) {
  std::u32string meanings;
  meanings.reserve(words.size());
  for (const Token& word : words) meanings.push_back(word.word.meaning);
  return meanings;
}

std::size_t begin_at(const Tokens& words, std::size_t index) {
  if (index < words.size()) return words[index].begin;
  return words.empty() ? 0 : words.back().end;
}

Place place_of(Words a, Words b, bool are_options) {
  if (are_options) return Place::option;
  const bool asks = std::ranges::any_of(a, &Token::asks) || std::ranges::any_of(b, &Token::asks);
  return asks ? Place::question : Place::story;
}

// The 3 of “20的3倍”, not that of “它的3倍” and “20，3倍”.
bool is_taken_of_number(const QuestionLayout& layout, const Token& number) {
  return number.word.kind == WordKind::sign && number.begin >= 2 &&
         layout.characters[number.begin - 1] == rule_words::possessive &&
         character_classes()[layout.characters[number.begin - 2]] != CharacterClass::han;
}

}  // namespace

std::u32string_view spelling_of(const QuestionLayout& layout, Words words) {
  return words.empty() ? std::u32string_view() : layout.spelling(words.front().begin, words.back().end);
}

Tokens::const_iterator after(const QuestionLayout& layout, Words words) {
  return layout.stem.begin() + (words.data() - layout.stem.data()) + std::ssize(words);
}

WordEdits word_edits(const QuestionLayout& a, const Tokens& a_words, const QuestionLayout& b,
                     const Tokens& b_words, bool are_options) {
  WordEdits edits;
  for (const AlignedStretch& stretch : align(meanings_of(a_words), meanings_of(b_words))) {
    const Words x = Words(a_words).subspan(stretch.a_begin, stretch.a_end - stretch.a_begin);
    const Words y = Words(b_words).subspan(stretch.b_begin, stretch.b_end - stretch.b_begin);
    if (!stretch.same) {
      edits.differing.push_back({place_of(x, y, are_options), x, y, begin_at(a_words, stretch.a_begin),
                                 begin_at(b_words, stretch.b_begin)});
      continue;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool spelt_alike = a.spelling(x[i]) == b.spelling(y[i]);
      if (spelt_alike && is_taken_of_number(a, x[i]) == is_taken_of_number(b, y[i])) continue;
      const Words one = x.subspan(i, 1);
      const Words other = y.subspan(i, 1);
      (spelt_alike ? edits.other_bases : edits.synonyms)
          .push_back({place_of(one, other, are_options), one, other, one[0].begin, other[0].begin});
    }
  }
  return edits;
}

}  // namespace qdedup::refine
