#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "refine/duplicate_test.h"

namespace qdedup::reference {

// The slow twin of finder::ExactIndex: the numbers of all `texts` that are similar enough to `han`, each
// compared by the whole table.
std::vector<std::uint32_t> similar_texts(const std::vector<std::u32string>& texts, std::u32string_view han,
                                         const refine::DuplicateSettings& settings);

}  // namespace qdedup::reference
