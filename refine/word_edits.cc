#include "refine/word_edits.h"

#include <algorithm>
#include <string>

#include "refine/alignment.h"

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

}  // namespace

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
      if (a.spelling(x[i]) == b.spelling(y[i])) continue;
      const Words one = x.subspan(i, 1);
      const Words other = y.subspan(i, 1);
      edits.synonyms.push_back({place_of(one, other, are_options), one, other, one[0].begin, other[0].begin});
    }
  }
  return edits;
}

}  // namespace qdedup::refine
