#pragma once

#include <string>
#include <string_view>

namespace qdedup::reference {

// The slow twin of the reading of a page: lets gumbo build the tree of HTML, and walks it. What is raised is
// "^" and what it holds, what is lowered U+E000 and the same, in brackets unless it is one character; words
// are separated by one space. Knows no formulas and no figures.
std::string read_page(std::string_view page);

}  // namespace qdedup::reference
