#pragma once

#include "base/question_id.h"
#include "miner/json_cursor.h"

namespace qdedup::miner {

// Both pass over white space and read the number that follows. When the answer is false the cursor may stand
// anywhere.

// Reads an integer from 1 to 2^63-1, exactly. Stops behind its digits: what follows (".5", "e3") is for the
// caller to refuse.
[[nodiscard]] bool read_id(JsonCursor& cursor, QuestionId& id);

// Reads any JSON number as the nearest double; one that is too large for a double is refused.
[[nodiscard]] bool read_score(JsonCursor& cursor, double& score);

}  // namespace qdedup::miner
