#pragma once

#include <ostream>

#include <nlohmann/json_fwd.hpp>

namespace qdedup::cli {

// Prints `json` as one line. What is not UTF-8 in it (a file's name can be anything)
// becomes U+FFFD.
void print_json(std::ostream& out, const nlohmann::ordered_json& json);

}  // namespace qdedup::cli
