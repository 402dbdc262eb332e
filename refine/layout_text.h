#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// A question in normal form, character by character, with the way back to the original text.
struct LayoutText {
  std::u32string characters;
  std::vector<std::size_t> origins;  // per character, the code point of the original text
};

// Reads UTF-8. Each code point is brought into its normal form by itself (combining marks stay apart), with
// the marks of superscripts and subscripts. Linear.
LayoutText layout_text(std::string_view text);

// Marks the first digit of a number, so that 3 12 is not 31 2: beyond Unicode and all meanings of words.
inline constexpr char32_t starts_number = 0x80000000;

// The characters that a layout of the text would have, with the first digit of each number marked: equal for
// two questions that have the same words in the same order. Linear, and much faster than the layout.
std::u32string kept_characters(std::string_view text);

}  // namespace qdedup::refine
