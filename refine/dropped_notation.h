#pragma once

#include <string_view>

namespace qdedup::refine {

// Do two texts, UTF-8, write their letters, numbers and brackets alike where the duplicate test does not look
// (doc/rules.md, 3.2)? It drops the prime of f'(0), a bar or arrow over a letter, the brackets of [1,2) and
// ⌊x⌋, ⟨x⟩ and ‖x‖, # & @ between operands, : and ! between and behind symbols, and brackets with Chinese in
// them, which count where an operator stands beside or inside. Blanks (empty brackets, low lines) have to
// stand in the same places if there are as many of them, and borders of cells (U+2063, U+2064) if both have
// any. Dashes for minus, ellipses between operands, apostrophes in words and characters of private use stand
// in the same places, and no letters are joined that the other text parts. Where either text asks about its
// punctuation, marked words or wording, that has to be the same too. Linear, but for the distance of the Han
// parts where places have to be compared and these parts differ.
bool same_dropped_notation(std::string_view a, std::string_view b);

}  // namespace qdedup::refine
