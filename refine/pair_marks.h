#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// What is to be said of characters of a text that people compare with another; several may hold at once.
enum MarkKind : std::uint8_t {
  differs = 1,  // the other text has something else here
  faint = 2,    // beside `differs`: the duplicate test does not see it (punctuation, spelling)
  number = 4,   // in digits or words
  unit = 8,     // a unit, or a measure word
  negation = 16,
  formula = 32,  // letters and symbols, and the digits that stand with them
};

// Code points [begin, end) of a text, and what is to be said of them: MarkKinds, added up.
struct Mark {
  std::size_t begin;
  std::size_t end;
  unsigned kinds;

  friend bool operator==(const Mark&, const Mark&) = default;
};

struct PairMarks {
  std::vector<Mark> question;
  std::vector<Mark> keeper;
};

// The marks of a text whose characters are of these kinds, which are MarkKinds added up.
std::vector<Mark> marks_of(const std::vector<unsigned>& kinds);

// Marks two texts (UTF-8) for people to compare: in ascending order, without overlap, and without stretches
// of which nothing is to be said. The differences are those of align() on the texts as they are; the words
// those of contrast(). An empty text has no marks, and makes no differences. Time as align() and
// read_layout().
PairMarks mark_pair(std::string_view question, std::string_view keeper);

}  // namespace qdedup::refine
