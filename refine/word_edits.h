#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "refine/question_layout.h"

namespace qdedup::refine {

using Words = std::span<const Token>;

// What stands in the layout from the first of the words to the last.
std::u32string_view spelling_of(const QuestionLayout& layout, Words words);

// The word after these words of the stem; its end for the last.
Tokens::const_iterator after(const QuestionLayout& layout, Words words);

// Where in a question words stand: in what it tells, in the clause that asks, or in an option.
enum class Place : std::uint8_t { story, question, option };

// Words of one question that stand where the other has other words, or none.
struct WordEdit {
  Place place;
  Words a;
  Words b;
  std::size_t a_at;  // the character of the layout where `a` begins, or would
  std::size_t b_at;

  [[nodiscard]] bool is_insertion() const { return a.empty() || b.empty(); }
};

struct WordEdits {
  std::vector<WordEdit> differing;
  std::vector<WordEdit> synonyms;  // a word each, of one meaning and two spellings
  std::vector<WordEdit>
      other_bases;  // a number each, in one of them taken of another number: 20的3倍, 它的3倍
};

// What turns the words of one part of a question into those of another, along a cheapest alignment of their
// meanings (refine/alignment.h). Refers to the words.
WordEdits word_edits(const QuestionLayout& a, const Tokens& a_words, const QuestionLayout& b,
                     const Tokens& b_words, bool are_options);

}  // namespace qdedup::refine
