#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {

// A line of a word list: its words, in order, and where it stands, from 1.
struct WordLine {
  std::size_t number;
  std::vector<std::u32string> words;
};

// Reads a list of words, separated by white space; a line that starts with # is a comment, an empty line
// nothing. Fails when the list does not start with a comment that says where its words come from, when it has
// no words, or when a line is not UTF-8; the message starts with file:line.
Result<std::vector<WordLine>> read_word_list(std::string_view file, std::string_view text);

// Reads the lists of refine/data into a Vocabulary.
class VocabularyReader {
 public:
  // The lists, one after another. Each fails with file:line and what is wrong there.
  Status read_synonyms(std::string_view text);
  Status read_kind(std::string_view file, std::string_view text, WordKind kind);
  Status read_queries(std::string_view text);
  Status read_people(std::string_view text);
  Status read_opposites(std::string_view text);
  Status read_misspellings(std::string_view text);
  Status read_exchanges(std::string_view text);
  Status read_homophones(std::string_view text);

  // What was read.
  Vocabulary finish() &&;

 private:
  using Words = std::vector<std::u32string>;

  Word& entry(const std::u32string& spelling);
  std::vector<Vocabulary::ListedWord>& listed_with(char32_t first);
  Status set_kind(const std::u32string& spelling, WordKind kind);
  void share_kinds();
  Status add_person_words(const std::u32string& section, const Words& words);
  Status add_opposites(const Words& line);
  Status add_homophones(const Words& group);

  std::map<std::u32string, Word> words_;
  std::set<std::u32string> has_kind_;
  char32_t next_meaning_ = 0x110000;
  Vocabulary vocabulary_;
};

}  // namespace qdedup::refine
