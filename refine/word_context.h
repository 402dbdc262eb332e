#pragma once

#include <cstddef>

#include "refine/question_layout.h"

namespace qdedup::refine {

// What the words before it make of a word, and it of them: 米 measures in 3米 but not in 江米, and the 和 of
// “的和是” is a sum. Made for one place of a text that is being read. All functions look at a few words only,
// but for 大 and 小 after 比, where they look through the clause.
class WordContext {
 public:
  // Refers to the layout and the words read so far; `clause_begin` is the first of the clause.
  WordContext(const QuestionLayout& layout, Tokens& tokens, std::size_t clause_begin)
      : layout_(layout), tokens_(tokens), clause_begin_(clause_begin) {}

  // The next word, which begins at character `begin`, as it is to be read here. Words before it may come to
  // be read otherwise: 一 before a measure word, 和 before 是.
  [[nodiscard]] Word settle(Word word, std::size_t begin);

  // What comes next is a sign, or the clause ends here.
  void settle_before_sign();
  void settle_before_end();

  // Does the next word give the one before it a direction?
  [[nodiscard]] bool is_complement(const Word& word, std::size_t begin) const;

  // Does a query word stand before the next word, with at most a measure word between?
  [[nodiscard]] bool follows_query() const;

 private:
  [[nodiscard]] WordKind kind_of_character(const Word& word, char32_t character) const;
  [[nodiscard]] bool follows(WordKind kind) const;
  [[nodiscard]] bool follows_amount() const;
  [[nodiscard]] bool follows_year() const;
  [[nodiscard]] bool follows_list() const;
  [[nodiscard]] bool follows_one() const;
  [[nodiscard]] bool counts_pairs(std::size_t begin) const;
  [[nodiscard]] bool follows_pointer() const;
  [[nodiscard]] bool counts_or_points(const Token& token) const;
  [[nodiscard]] bool spells(std::size_t from_end, char32_t word) const;
  [[nodiscard]] bool compares() const;
  bool classified();
  void loosen_one();
  void settle_sum(const Word& next, std::u32string_view spelling);
  void settle_asked_dimension();

  const QuestionLayout& layout_;
  Tokens& tokens_;
  std::size_t clause_begin_;
};

}  // namespace qdedup::refine
