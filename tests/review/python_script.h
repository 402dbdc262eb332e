#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace qdedup::review {

// Has the Python script tests/review/`script` read a file that holds `input`, and returns the JSON that it
// prints: a second opinion on a format, from a reader that nobody of this project wrote. Null, and a failed
// test, when it fails.
nlohmann::json read_by_python(std::string_view script, std::string_view input);

}  // namespace qdedup::review
