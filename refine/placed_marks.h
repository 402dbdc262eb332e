#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "refine/subjects.h"

namespace qdedup::refine {

// What markup/ writes where a figure stands whose signs are behind the text: so many of these tell which it
// is. None is assigned, nor read from a text with markup.
inline constexpr char32_t first_figure_place = 0xE1000;
inline constexpr unsigned figure_place_bits = 12;
inline constexpr std::size_t figure_place_length = 6;
constexpr bool is_figure_place(char32_t c) {
  return c >> figure_place_bits == first_figure_place >> figure_place_bits;
}

// A text in which each figure is one character, to be aligned with others.
struct SingleFigures {
  std::u32string text;              // figures as numbers beyond Unicode
  std::vector<std::size_t> begins;  // of each character in the original text, and its end

  explicit SingleFigures(std::u32string_view original);
  static bool is_figure(char32_t c) { return c > 0x10FFFF; }
};

// Something that the duplicate test drops, and where it stands: after how many letters, digits and symbols,
// and how many Han characters.
struct PlacedMark {
  char32_t what;
  std::size_t signs;
  std::size_t han;  // 0 in `notation` and `borders`
};

struct PlacedMarks {
  std::vector<PlacedMark> notation;  // of formulas and programs
  std::vector<PlacedMark> borders;   // of cells, between signs
  std::vector<PlacedMark> blanks;    // empty brackets, low lines: one each, however wide
  std::vector<PlacedMark> speech;    // colons before quotation marks
  std::vector<PlacedMark> grouping;  // brackets that are none, or dropped for the Chinese in them
  std::vector<PlacedMark> remarks;   // other brackets with Chinese in them
  std::vector<PlacedMark> figures;
  std::vector<PlacedMark> emphasis;    // marked words and Chinese, of what the question asks about
  std::vector<PlacedMark> underlined;  // the ends of others
};

// Fonts of their own have their characters from here on, and from U+E001 to U+F8FF.
inline constexpr char32_t first_of_a_font = 0xF0000;

// Can a formula begin so, white space aside? With a letter, digit, symbol, bar or opening bracket, or with a
// point before decimals.
bool begins_formula(std::u32string_view text);

// Reads with_flattened_marks() of a text. Linear.
PlacedMarks placed_marks(std::u32string_view text, const Subjects& subjects);

}  // namespace qdedup::refine
