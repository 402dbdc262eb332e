#pragma once

#include <string_view>

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
};

// The files, by their names. They live as long as the program.
WordFiles word_files();

}  // namespace qdedup::refine
