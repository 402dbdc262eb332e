#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

// The parser and the writer of the JSON library take seconds to compile, so base/json.cc compiles them once.
namespace qdedup {

// JSON to be written: members stay in the order in which they were added.
using Json = nlohmann::ordered_json;

// `json` in one line. Anything that is not UTF-8 becomes U+FFFD.
std::string json_text(const Json& json);

// JSON of any origin; is_discarded() if `text` is not JSON.
nlohmann::json parse_json(std::string_view text);

// JSON that this program wrote, with its members in order. Takes time quadratic in the number of an object's
// members.
Json parse_own_json(std::string_view text);

}  // namespace qdedup
