#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "db/deletions.h"
#include "page/reading.h"

namespace qdedup::page {

// Ids are strings: JavaScript's numbers end at 2^53. Marks are [begin, end, kinds] in code points
// (refine/pair_marks.h).
struct PairJson {
  nlohmann::ordered_json keeper;    // {id, text, answer?, gone?}
  nlohmann::ordered_json question;  // the same, and marks, keeper_marks
};

// The texts of a deletion as the bank has them at this moment, marked against each other.
Result<PairJson> texts_json(Reading& reading, const db::DeletionRow& row);

// The same, and what is known of the deletion: iteration, status, confidence, reasons, similarity, distance,
// length, note, findings, standing ("holds", "keeper-gone", "text-changed"), decided_by and decided_at.
Result<PairJson> pair_json(Reading& reading, const db::DeletionRow& row);

// As UTF-8, whatever the texts hold.
std::string dumped(const nlohmann::ordered_json& json);

}  // namespace qdedup::page
