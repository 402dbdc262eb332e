#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "miner/json_cursor.h"

namespace qdedup::miner {

// A JSON pointer (RFC 6901) as its reference tokens, unescaped: "/a~1b/0" is {"a/b", "0"}. Fails with
// ErrorCode::config when `pointer` is neither empty nor begins with a slash, has a ~ without 0 or 1 behind
// it, or is not UTF-8.
Result<std::vector<std::string>> parse_pointer(std::string_view pointer);

// Moves the cursor, which stands at a valid JSON value, to the value within it that `tokens` lead to; false
// when there is none. Of members with the same name the last one counts. Linear in the length of the value,
// times the tokens.
[[nodiscard]] bool find(const std::vector<std::string>& tokens, JsonCursor& cursor);

}  // namespace qdedup::miner
