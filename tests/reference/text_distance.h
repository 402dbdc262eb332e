#pragma once

#include <cstddef>
#include <string_view>

namespace qdedup::reference {

// The slow twins of refine::levenshtein_distance and refine::lcs_distance, without cutoff: the whole table.
std::size_t levenshtein_distance(std::u32string_view a, std::u32string_view b);
std::size_t lcs_distance(std::u32string_view a, std::u32string_view b);

}  // namespace qdedup::reference
