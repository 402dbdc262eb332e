#pragma once

#include <string>
#include <string_view>

namespace qdedup::reference {

// The slow twin of refine::normalise: the steps of the rules in their words, each over the whole text.
std::u32string normalise(std::string_view text);

}  // namespace qdedup::reference
