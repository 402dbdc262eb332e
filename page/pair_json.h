#pragma once

#include <cstddef>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "page/request.h"

namespace qdedup::page {

// The texts of a deletion as the bank has them now: {"keeper":{id, text, answer?, gone?},"question":{the
// same, and marks, keeper_marks}}. Ids are strings, as JavaScript's numbers end at 2^53. Marks are [begin,
// end, kinds] in code points (refine/pair_marks.h). What was imported otherwise is in `original` and
// `original_answer`. A text with structure has a `drawing` (an answer an `answer_drawing`), {text, pieces}:
// each piece is [name, begin, end] of the drawing's text, a figure has its name and its address, if any,
// behind that, and [] ends an element (markup/display.h); marks are of that text then.
Result<Json> texts_json(Reading& reading, const db::DeletionRow& row);

// The same, and in the question what is known of the deletion: iteration, status, confidence, reasons,
// risk, similarity, distance, length, note, texts, findings, standing ("holds", "keeper-gone",
// "text-changed"), and who decided last.
Result<Json> pair_json(Reading& reading, const db::DeletionRow& row);

// About what a part of an answer takes as text.
std::size_t size_of(const Json& json);

// An answer with many pairs has none after the one with which it reaches this: in memory JSON takes up to ten
// times as much.
inline constexpr std::size_t max_answer_bytes = std::size_t{4} << 20U;

// Stands for the two texts that were compared (their hashes).
std::string texts_mark(const db::DeletionRow& row);

// Sets decided_by (Decider::user), given_name and decided_at.
void add_decider(const db::Decider& decider, Json& json);

}  // namespace qdedup::page
