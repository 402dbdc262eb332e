#pragma once

#include <string_view>
#include <vector>

namespace qdedup::refine {

// The words and numbers of a text (Unicode Standard Annex 29, with ICU's dictionaries for Chinese and others
// that put no spaces), in order, without white space and punctuation: views of `text`, which must have less
// than 2^30 code points. Empty if ICU has no data. Linear. Thread-safe.
std::vector<std::u32string_view> words_of(std::u32string_view text);

}  // namespace qdedup::refine
