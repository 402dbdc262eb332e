#pragma once

#include <cstddef>
#include <string_view>

namespace qdedup::refine {

// Both functions return the distance between `a` and `b` over code points if it is at most `cutoff`, else
// `cutoff` + 1. Bit-parallel: O(ceil(min/64) * max) time at worst, and O(max) where a band of 64 diagonals
// holds every alignment within the cutoff. O(max) memory, none allocated for short texts.

// Fewest insertions, deletions and replacements. Myers, "A fast bit-vector algorithm for approximate string
// matching based on dynamic programming", J. ACM 46(3), 1999, in the form of Hyyrö, 2003.
std::size_t levenshtein_distance(std::u32string_view a, std::u32string_view b, std::size_t cutoff);

// The longer length minus the length of the longest common subsequence. Hyyrö, "Bit-parallel LCS-length
// computation revisited", AWOCA 2004.
std::size_t lcs_distance(std::u32string_view a, std::u32string_view b, std::size_t cutoff);

}  // namespace qdedup::refine
