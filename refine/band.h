#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "refine/scratch.h"

namespace qdedup::refine {

// The diagonals of the table of two texts, pattern down and text across, on which an alignment within a limit
// can lie: those with -above <= row - column <= below.
struct Band {
  std::size_t above;
  std::size_t below;

  [[nodiscard]] std::size_t width() const { return above + below + 1; }
};

// Slides a pattern along a band of at most 64 diagonals and tells where it matches the text, one column at a
// time. No table of the pattern is needed: its code points in the band are compared all at once.
class BandWindow {
 public:
  static constexpr std::size_t max_width = 64;

  BandWindow(std::u32string_view pattern, std::size_t columns, Band band);

  // Bit i tells whether the pattern has `code_point` in row `column` - above + i; outside the pattern it has
  // not. Bits beyond the width of the band may be set or not.
  [[nodiscard]] std::uint64_t matches(std::size_t column, char32_t code_point) const;

 private:
  static constexpr std::size_t group_size = 16;  // code points compared at once
  static constexpr char32_t no_code_point = 0xFFFFFFFF;

  std::size_t groups_;
  std::size_t size_;
  Scratch<256> cells_;  // the pattern between paddings
};

}  // namespace qdedup::refine
