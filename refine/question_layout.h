#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "refine/text_forms.h"
#include "refine/word.h"

namespace qdedup::refine {

// A word of a question and where it stands: characters [begin, end) of the layout.
struct Token {
  Word word;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool asks = false;         // in the clause that asks
  bool complements = false;  // a complement right after a word that is content
  bool joined = false;       // after 和, 与, 、 and the like
  bool counted = false;      // right after a query word or a measure word: 米 of 多少米
  bool cited = false;        // stands by itself in quotation marks or brackets
  bool begins = false;       // the first of a clause

  friend bool operator==(const Token&, const Token&) = default;
};

using Tokens = std::vector<Token>;

// Numbers the names of people that occur in two questions, so that equal names have equal meanings.
class NameIndex {
 public:
  char32_t meaning(std::u32string_view name);

 private:
  std::map<std::u32string, char32_t> names_;
};

// A question as contrast() reads it: its Han characters, digits, letters and symbols in normal form, cut into
// words, with the stem told from the options.
struct QuestionLayout {
  std::u32string characters;
  std::vector<std::size_t> origins;  // per character, the code point of the original text
  Tokens stem;
  std::vector<Tokens> options;  // in their order
  bool calculates;              // it gives numbers, has no options and asks for a quantity

  [[nodiscard]] std::u32string_view spelling(std::size_t begin, std::size_t end) const {
    return std::u32string_view(characters).substr(begin, end - begin);
  }
  [[nodiscard]] std::u32string_view spelling(const Token& token) const {
    return spelling(token.begin, token.end);
  }
};

// Reads a question. Linear but for the word lists, which take a few comparisons per character.
QuestionLayout read_layout(const TextForms& text, NameIndex& names);

}  // namespace qdedup::refine
