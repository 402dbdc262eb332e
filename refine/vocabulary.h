#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "refine/code_point_table.h"
#include "refine/word.h"

namespace qdedup::refine {

// The texts of refine/data, embedded when the program is built. Each starts with where its words come from.
struct WordFiles {
  std::string_view calculation_fillers;
  std::string_view classifiers;
  std::string_view complements;
  std::string_view exchanges;
  std::string_view fillers;
  std::string_view homophones;
  std::string_view misspellings;
  std::string_view negations;
  std::string_view number_words;
  std::string_view opposites;
  std::string_view people;
  std::string_view plain_words;
  std::string_view quantities;
  std::string_view queries;
  std::string_view relations;
  std::string_view synonyms;
  std::string_view units;
  std::string_view weights;  // read by RiskModel
};

// They live as long as the program.
WordFiles word_files();

// Names of people as stories make them up: 小明, 李红, 王小刚, 张老师, 兰兰.
class PersonNames {
 public:
  // The length of the name that `text` begins with; 0 for none.
  [[nodiscard]] std::size_t length_at_start(std::u32string_view text) const;

 private:
  friend class VocabularyReader;

  enum Use : std::uint8_t { surname = 1, given = 2 };  // of a character, a bit each

  void add(Use use, char32_t c) { uses_.set(c, static_cast<std::uint8_t>(uses_[c] | use)); }
  [[nodiscard]] bool is_surname(char32_t c) const { return (uses_[c] & surname) != 0; }
  [[nodiscard]] bool is_given(char32_t c) const { return (uses_[c] & given) != 0; }
  [[nodiscard]] std::size_t title_length(std::u32string_view text) const;
  [[nodiscard]] std::size_t after_surname(std::u32string_view text) const;

  HanTable<std::uint8_t> uses_;
  std::unordered_set<std::u32string> titles_;  // two characters each
};

// The words that contrast() knows, from the lists in refine/data. Immutable once read.
class Vocabulary {
 public:
  // Reads the lists. Fails with file:line and what is wrong there: a list without a comment on top, a word
  // that stands twice in a list or in two lists that contradict each other, an opposite without a side, a
  // character that is not Chinese.
  static Result<Vocabulary> read(const WordFiles& files);

  // The embedded lists, read at the first call.
  static const Vocabulary& instance();

  // The longest word that `text`, which is not empty, begins with. A character that no list has is a word.
  [[nodiscard]] Word first_word(std::u32string_view text) const;

  // Do the lists call these two meanings opposites, `a` standing first?
  [[nodiscard]] bool opposites(char32_t a, char32_t b) const;

  // Is the meaning a side of any pair of opposites?
  [[nodiscard]] bool has_opposite(char32_t meaning) const;

  // What a query word asks for, as the meaning of a query word that stands for all that ask for it.
  [[nodiscard]] char32_t asked_by(char32_t query) const;

  // Are these two characters written for one another, whatever they mean?
  [[nodiscard]] bool confusable(char32_t a, char32_t b) const;

  // Are these two characters fillers that stand for one another?
  [[nodiscard]] bool exchangeable(char32_t a, char32_t b) const;

  // Are these two characters read alike?
  [[nodiscard]] bool homophones(char32_t a, char32_t b) const;

 private:
  friend class VocabularyReader;

  struct ListedWord {
    std::u32string rest;  // without its first character
    Word word;
  };

  // Those of one first character. Most texts go on with a character that none of them has second.
  struct ListedWords {
    std::bitset<64> seconds;
    std::vector<ListedWord> words;  // the longest first
  };
  static std::size_t place_of_second(char32_t c) { return c % 64; }

  // The longest listed word that `text` begins with, null for none; and the length of a name, 0 for none.
  [[nodiscard]] const Word* listed_word(std::u32string_view text) const;
  [[nodiscard]] std::size_t name_length(std::u32string_view text) const;

  HanTable<std::uint16_t> first_;  // by its first character, where in words_ a word stands, plus 1
  std::vector<ListedWords> words_;
  std::vector<std::pair<char32_t, char32_t>> opposites_;    // as listed, sorted
  std::vector<char32_t> sides_;                             // meanings that have an opposite, sorted
  std::unordered_map<char32_t, char32_t> asked_;            // by query word
  std::vector<std::pair<char32_t, char32_t>> exchanges_;    // both ways, sorted
  std::vector<std::pair<char32_t, char32_t>> confusables_;  // both ways, sorted
  std::unordered_map<char32_t, std::size_t> readings_;      // a number for each reading
  PersonNames names_;
};

}  // namespace qdedup::refine
