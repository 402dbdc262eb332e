#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

// The parser and the writer of the JSON library take seconds to compile, so they are compiled here, once.
namespace qdedup {

// JSON that is written: members stay in the order in which they were added.
using Json = nlohmann::ordered_json;

// `json` in one line. What is not UTF-8 in it becomes U+FFFD.
std::string json_text(const Json& json);

// JSON of any origin; is_discarded() where `text` is not JSON.
nlohmann::json parse_json(std::string_view text);

// JSON that this program wrote, with its members in order. Takes quadratic time in the members of an object.
Json parse_own_json(std::string_view text);

}  // namespace qdedup
