#pragma once

#include <string_view>

namespace qdedup::refine {

// Do two texts, UTF-8, write their letters, numbers and brackets alike where the duplicate test does not look
// (doc/rules.md, 3.2)? It drops the prime of f'(0), a bar or arrow over a letter, the brackets of [1,2) and
// ⌊x⌋, ⟨x⟩ and ‖x‖, and # & @ between operands. Where either text asks about its punctuation, or about words that are
// underlined or dotted, that has to be the same too.
// Linear.
bool same_dropped_notation(std::string_view a, std::string_view b);

}  // namespace qdedup::refine
