#pragma once

#include <string>
#include <string_view>

namespace qdedup::cli {

// A text as a terminal may show it: control characters other than line feed and tab become U+FFFD, so that no
// question can move the cursor or set a colour.
std::string printable(std::string_view text);

}  // namespace qdedup::cli
