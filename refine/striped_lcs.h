#pragma once

#include <cstddef>
#include <string_view>

#include "refine/band.h"

namespace qdedup::refine {

// The length of the text minus that of the longest common subsequence if it is at most `limit`, else `limit`
// + 1. The pattern is not longer than the text, and `band` is theirs for this limit, of any width. Works down
// the table in stripes of 64 rows, within the band, and stops where too many rows are without a partner.
// O(ceil(pattern/64) * min(text, band + 64)) time, O(text) memory (Hyyrö, AWOCA 2004).
std::size_t striped_lcs(std::u32string_view pattern, std::u32string_view text, std::size_t limit, Band band);

}  // namespace qdedup::refine
