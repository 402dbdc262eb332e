#pragma once

#include <string>

namespace qdedup::markup {

// Marks what a text has in plain letters and formulas have lowered or raised: CO2 with a lowered 2, A1B1, F1,
// Cu2+ with a raised 2+, 5cm2 with a raised 2.
//
// A number of one or two digits is lowered after letters of which each is a capital or an element, and
// after a single one but A to D, which may mark an option. A plus or minus is a charge where nothing follows
// that could be added. White space before a number does not count, as it never does for signs. Linear.
void mark_plain_scripts(std::string& text);

}  // namespace qdedup::markup
