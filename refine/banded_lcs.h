#pragma once

#include <cstddef>
#include <string_view>

#include "refine/band.h"

namespace qdedup::refine {

// Diagonals that an alignment can touch which leaves at most `limit` code points of the text without a
// partner, if the text is `surplus` <= `limit` longer than the pattern.
Band lcs_band(std::size_t limit, std::size_t surplus);

// The length of the text minus that of the longest common subsequence if it is at most `limit`, else `limit`
// + 1. The pattern is not longer than the text, and `band`, theirs for this limit, is not wider than 64.
// O(text) time, one word of state (the recurrence of Hyyrö, AWOCA 2004, in a sliding band).
std::size_t banded_lcs(std::u32string_view pattern, std::u32string_view text, std::size_t limit, Band band);

}  // namespace qdedup::refine
