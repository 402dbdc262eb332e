#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// An option of a question, as a stretch of its characters: text[begin, end), without the letter before it.
struct OptionStretch {
  std::size_t marker;  // where the letter, or the bracket before it, stands
  std::size_t begin;
  std::size_t end;
};

// The options that end a question, as "A.… B.… C.…" or "(A)… (B)…": letters from A on, without a gap. Where
// several such rows stand, the last. Where none does, four bare letters behind a blank or a question
// mark, the first of them: "( )A…B…C…D…". Empty for a question without options. `text` is in normal form.
// Linear.
std::vector<OptionStretch> find_options(std::u32string_view text);

}  // namespace qdedup::refine
