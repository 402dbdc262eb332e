#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// The words and numbers of a text (Unicode Standard Annex 29, with ICU's dictionaries for Chinese and others
// that put no spaces), in order, without white space and punctuation: views of `text`, which must have less
// than 2^30 code points. Throws std::bad_alloc; ends the program where ICU has no data. Memory that ICU lacks
// within a text may still cost a word. Linear. Thread-safe.
std::vector<std::u32string_view> words_of(std::u32string_view text);

// Texts may have other words where this differs.
std::string word_rules_version();

}  // namespace qdedup::refine
