#pragma once

#include <cstddef>
#include <string_view>

namespace qdedup::refine {

// The diagonals of the table of two texts, pattern down and text across, on which an alignment within a limit
// can lie: those with -above <= row - column <= below.
struct Band {
  std::size_t above;
  std::size_t below;

  [[nodiscard]] std::size_t width() const { return above + below + 1; }
};

// The diagonals that an alignment with at most `limit` edits can touch, if the text is `surplus` <= `limit`
// longer than the pattern: from the start to any other diagonal and back to the last cell, each step costs an
// edit.
Band levenshtein_band(std::size_t limit, std::size_t surplus);

// The same for an alignment that leaves at most `limit` code points of the text without a partner.
Band lcs_band(std::size_t limit, std::size_t surplus);

// All kernels return the distance if it is at most `limit`, else `limit` + 1. The pattern is not empty and
// not longer than the text, and `band` is theirs for this limit. The distance by the longest common
// subsequence is the length of the text minus that of the subsequence.

// For bands of at most max_band_width. O(text) time, one word of state. Hyyrö, "A bit-vector algorithm for
// computing Levenshtein and Damerau edit distances", Nordic J. of Computing 10(1), 2003, section 5; the
// recurrence of Hyyrö, AWOCA 2004, in a sliding band.
inline constexpr std::size_t max_band_width = 64;
std::size_t banded_levenshtein(std::u32string_view pattern, std::u32string_view text, std::size_t limit,
                               Band band);
std::size_t banded_lcs(std::u32string_view pattern, std::u32string_view text, std::size_t limit, Band band);

// For bands of any width: down the table in stripes of 64 rows, within the band, until all of a row is beyond
// the limit. O(ceil(pattern/64) * min(text, band + 64)) time, O(text) memory. Myers, J. ACM 46(3), 1999,
// section 4, in the formulas of Hyyrö, 2003; Hyyrö, AWOCA 2004.
std::size_t striped_levenshtein(std::u32string_view pattern, std::u32string_view text, std::size_t limit,
                                Band band);
std::size_t striped_lcs(std::u32string_view pattern, std::u32string_view text, std::size_t limit, Band band);

}  // namespace qdedup::refine
