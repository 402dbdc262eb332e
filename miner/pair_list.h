#pragma once

#include <vector>

#include "miner/json_cursor.h"
#include "miner/result_list.h"

namespace qdedup::miner {

// Reads a list of pairs [id, score] and appends them. True for exactly the valid lists; then the cursor
// stands behind the list. When the answer is false, cursor and `pairs` may be anything.
[[nodiscard]] bool read_pairs(JsonCursor& cursor, std::vector<ScoredId>& pairs);

// Why read_pairs refuses the value at the cursor, which must be valid JSON. It is the first pair at fault
// that counts, and in it bad_pair before bad_id before bad_score.
[[nodiscard]] Rejection fault_of_pairs(JsonCursor cursor);

}  // namespace qdedup::miner
