#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/question_id.h"
#include "base/result.h"

// The parser and the writer of the JSON library take seconds to compile, so base/json.cc compiles them once.
namespace qdedup {

// JSON to be written: members stay in the order in which they were added.
using Json = nlohmann::ordered_json;

// `json` in one line. Anything that is not UTF-8 becomes U+FFFD.
std::string json_text(const Json& json);

// Each value of JSON takes up to a hundred bytes of memory, however few it takes in text, and each level some
// of the stack when it is copied.
inline constexpr std::size_t max_json_values = 1'000'000;
inline constexpr std::size_t max_json_depth = 64;

// JSON of any origin; is_discarded() if `text` is not JSON, or has more values and keys, or levels, than
// that. Linear.
nlohmann::json parse_json(std::string_view text);

// The string at this key; null if `json` is no object with such a string.
const std::string* string_at(const nlohmann::json& json, const char* key);
const std::string* string_at(const Json& json, const char* key);

// Parses such JSON and passes it to `read`. Fails if it does not parse, or with what `read` throws: an
// exception of the library for fields that are missing or of another type, std::invalid_argument for values
// that do not fit.
Status read_json(std::string_view text, const std::function<void(const nlohmann::json& json)>& read);

// For `read` above. The library's get() would cut -1 and 1.5 to fit, and is undefined for 1e300; these throw
// std::invalid_argument.
std::uint64_t whole_number(const nlohmann::json& value,
                           std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
QuestionId question_id(const nlohmann::json& value);

// Whether question_id() takes it.
bool is_question_id(const nlohmann::json& value);

// JSON that this program wrote, with its members in order. Takes time quadratic in the number of an object's
// members.
Json parse_own_json(std::string_view text);

}  // namespace qdedup
