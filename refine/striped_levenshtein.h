#pragma once

#include <cstddef>
#include <string_view>

#include "refine/band.h"

namespace qdedup::refine {

// The Levenshtein distance if it is at most `limit`, else `limit` + 1. The pattern is not longer than the
// text, and `band` is theirs for this limit, of any width. Works down the table in stripes of 64 rows, within
// the band, and stops where all of a row is beyond the limit. O(ceil(pattern/64) * min(text, band + 64))
// time, O(text) memory (Myers, J. ACM 46(3), 1999, section 4; the formulas as in Hyyrö, 2003).
std::size_t striped_levenshtein(std::u32string_view pattern, std::u32string_view text, std::size_t limit,
                                Band band);

}  // namespace qdedup::refine
