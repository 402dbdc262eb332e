#pragma once

#include <cstddef>
#include <string_view>

#include "refine/band.h"

namespace qdedup::refine {

// Diagonals that an alignment with at most `limit` edits can touch, if the text is `surplus` <= `limit`
// longer than the pattern: from the start to any other diagonal and back to the last cell costs an edit for
// each step.
Band levenshtein_band(std::size_t limit, std::size_t surplus);

// The Levenshtein distance if it is at most `limit`, else `limit` + 1. The pattern is not longer than the
// text, and `band`, theirs for this limit, is not wider than 64. O(text) time, one word of state (Hyyrö, "A
// bit-vector algorithm for computing Levenshtein and Damerau edit distances", Nordic J. of Computing 10(1),
// 2003, section 5).
std::size_t banded_levenshtein(std::u32string_view pattern, std::u32string_view text, std::size_t limit,
                               Band band);

}  // namespace qdedup::refine
