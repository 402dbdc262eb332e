#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

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

}  // namespace qdedup::refine
