#pragma once

#include <random>
#include <string>

namespace qdedup::review {

// Up to 12 pieces that have broken tables and pages before: separators, quotes, line ends, starts of
// formulas, markup, control and bidirectional characters, noncharacters, Chinese. Valid UTF-8 without NUL.
std::string hostile_text(std::mt19937_64& random);

}  // namespace qdedup::review
