#pragma once

#include <cstdint>
#include <string>

namespace qdedup::review {

// All are exact for all arguments. A part greater than the whole counts as the whole; any part of nothing is
// all of it.

// `part` of `whole` in percent, rounded down: 2 of 3 is 66.
std::uint64_t whole_percent(std::uint64_t part, std::uint64_t whole);

// `part` of `whole` in hundredths of a percent, rounded half up: 2 of 3 is 6667.
std::uint64_t hundredths_of_percent(std::uint64_t part, std::uint64_t whole);

// Hundredths of a percent with two decimals and no sign: 6667 is "66.67".
std::string percent_digits(std::uint64_t hundredths);

}  // namespace qdedup::review
