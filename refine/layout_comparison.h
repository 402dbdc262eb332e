#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "refine/contrast.h"
#include "refine/question_layout.h"

namespace qdedup::refine {

// Words of one text that stand against words of the other. One side may be empty; `at` then says where it
// would be, as a character of the layout.
struct Difference {
  std::span<const Token> a;
  std::span<const Token> b;
  std::size_t a_at;
  std::size_t b_at;
  bool replaces_total = false;  // where one side has nothing, it says 共 or 一共, which else may come and go
  bool says_shorter =
      false;  // where one side has nothing, a filler says what the other's word does: 用 for 用去

  [[nodiscard]] bool asks() const;    // in a clause that asks
  [[nodiscard]] bool listed() const;  // in a list of statements
};

// A stem or an option: characters [begin, end) of its layout, the end of the text if it has no tokens, and
// its words that carry meaning.
struct Part {
  Part(const QuestionLayout& question, const Tokens& tokens, bool calculates);

  const QuestionLayout& layout;
  std::size_t begin;
  std::size_t end;
  std::ptrdiff_t queries;  // how many words stand for what is asked
  std::ptrdiff_t totals;   // how many words ask for a total: 共, 一共
  Tokens words;
};

// The differences between two parts of two questions, word by word, and what stands between words that agree.
// Refers to the parts.
class PartComparison {
 public:
  PartComparison(const Part& a, const Part& b);

  [[nodiscard]] const std::vector<Difference>& differences() const { return differences_; }

  // Where one filler of a single character stands for another that it is not usually exchanged for: likely
  // parts of longer words, as in 能指 for 所指. Their kind is empty.
  [[nodiscard]] const std::vector<Finding>& odd_exchanges() const { return odd_exchanges_; }

  // Numbers that are taken of a number in one text only: the 3 of “20的3倍” and “它的3倍”. Their kind is
  // empty.
  [[nodiscard]] const std::vector<Finding>& other_bases() const { return other_bases_; }

  // Differences in fillers and synonyms, between and within the words that agree.
  [[nodiscard]] const std::vector<Finding>& harmless() const { return harmless_; }

 private:
  void differ_around_person(std::span<const Token> a, std::span<const Token> b);
  void differ_before_measure(std::span<const Token> a, std::span<const Token> b);
  void differ(std::span<const Token> a, std::span<const Token> b);
  void pair(const Token& a, const Token& b);
  void close_gap(std::size_t a_end, std::size_t b_end);

  const Part& a_part_;
  const Part& b_part_;
  const QuestionLayout& a_;
  const QuestionLayout& b_;
  std::size_t a_at_;  // up to where the texts are compared
  std::size_t b_at_;
  bool after_difference_ = false;
  std::vector<Difference> differences_;
  std::vector<Finding> harmless_;
  std::vector<Finding> odd_exchanges_;
  std::vector<Finding> other_bases_;
};

// The characters of a difference on one side, from its first to its last word.
std::u32string_view spelling(const QuestionLayout& layout, std::span<const Token> tokens);

// The finding that a difference is, or that two whole parts are, in code points of the original texts.
Finding finding(std::string kind, const QuestionLayout& a, const QuestionLayout& b,
                const Difference& difference);
Finding finding(std::string kind, const Part& a, const Part& b);

}  // namespace qdedup::refine
