#pragma once

#include <vector>

#include "miner/json_cursor.h"
#include "miner/result_list.h"

namespace qdedup::miner {

// Reads pairs that are written in the plain way, [1380777178,0.306],[1589879284,0.303] or with one space
// behind the comma between them, and appends them: ids of up to 15 digits, scores of one digit, a point and
// up to five decimals. This is what nearly all lists consist of, and is read a word of eight bytes at a time.
// Stops in front of the first comma that no plain pair follows. False, and nothing happens, where the cursor
// does not stand at a plain pair. What it accepts, read_id and read_score accept with the same values.
[[nodiscard]] bool read_plain_pairs(JsonCursor& cursor, std::vector<ScoredId>& pairs);

}  // namespace qdedup::miner
