#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// A stretch of two texts that is either the same in both or differs: a[a_begin, a_end) against b[b_begin,
// b_end). In a stretch that differs one side may be empty.
struct AlignedStretch {
  bool same;
  std::size_t a_begin, a_end;
  std::size_t b_begin, b_end;

  friend bool operator==(const AlignedStretch&, const AlignedStretch&) = default;
};

// Aligns two texts along a cheapest edit script (longest common subsequence), for people to see where they
// differ. The stretches cover both texts in order, and alternate between same and different. Time and memory
// are O(n * d) and O(n + d^2) in the length n and the number d of differences (Myers, "An O(ND) difference
// algorithm and its variations", Algorithmica 1, 1986); beyond `max_differences` the middle is one stretch
// that differs.
std::vector<AlignedStretch> align(std::u32string_view a, std::u32string_view b,
                                  std::size_t max_differences = 1000);

}  // namespace qdedup::refine
