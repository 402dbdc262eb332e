#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "refine/subjects.h"

namespace qdedup::refine {

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
  std::vector<PlacedMark> emphasis;  // marked words and Chinese, of what the question asks about
  // Letters and numbers, by how many signs stand before: those that a comma, or the end of a word, parts from
  // the one before; letters right behind a letter or number, and numbers behind a point or the dashes of a
  // range.
  std::vector<std::size_t> separate;
  std::vector<std::size_t> joined;
};

// Reads with_flattened_marks() of a text. Linear.
PlacedMarks placed_marks(std::u32string_view text, const Subjects& subjects);

}  // namespace qdedup::refine
