#pragma once

#include <string>

namespace qdedup::markup {

// Characters that readers of print and typists take for one another become what they must be
// where they stand: a square before three corners is a triangle (□ABC), a zero with an index is an O (0₂), an
// "or" without operands is a V, and one between propositions is no V (p V q), lines AB//CD are parallel.
// Linear.
void mend_confusables(std::string& text);

}  // namespace qdedup::markup
