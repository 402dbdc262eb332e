#pragma once

#include <cstdint>
#include <string_view>

namespace qdedup::db {

// XXH3 64-bit hash of a question's text, kept with each deletion to tell when a text changed.
std::uint64_t text_hash(std::string_view text);

}  // namespace qdedup::db
