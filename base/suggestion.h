#pragma once

#include <span>
#include <string>
#include <string_view>

namespace qdedup {

// ` (did you mean "export"?)` with the known word that is nearest to a mistyped one; nothing if none is near.
std::string suggestion(std::string_view typed, std::span<const std::string> known);

}  // namespace qdedup
