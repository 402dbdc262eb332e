#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// Where what follows one another is parted, by a comma, a border of cells or the end of a word, and where it
// is joined: with nothing between, with the point of a product or the dash of a range. Brackets, primes and
// marks are passed over; anything else between makes it neither.
struct Joints {
  std::vector<std::size_t> parted;
  std::vector<std::size_t> joined;
};

struct TextJoints {
  Joints signs;     // letters, digits and symbols, by how many of them stand before
  Joints numerals;  // Chinese ones, by how many Han characters stand before
};

// Reads with_flattened_marks() of a text. Linear.
TextJoints joints(std::u32string_view text);

}  // namespace qdedup::refine
