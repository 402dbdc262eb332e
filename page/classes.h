#pragma once

#include "base/json.h"
#include "base/question_id.h"
#include "page/request.h"
#include "review/question_class.h"

namespace qdedup::page {

// A question's class, for `qdedup similar` and GET /v1/similar.
Json question_class_json(QuestionId question, const review::QuestionClass& found);

// GET /v1/classes?sort=…&offset=…&limit=…: {"classes":[{"representative":3,"questions":4}],"total":N}. `sort`
// is representative (the default), largest or smallest; `limit` 1 to 200 (40).
Result<Json> class_sizes_json(db::Store& store, const Parameters& parameters);

// GET /api/review/classes: the same for the page, with ids as strings and the beginning of the
// representative's `text`, null if it is not in the bank.
Reply classes_reply(Reading& reading, const Parameters& parameters);

// GET /api/review/class?representative=ID&after=ID: the others of a class, from the next one on, at most 200:
// {"members":[{"id","compared_with","similarity","status","iteration","text"}],"total":N}, with `iteration`
// null for one that was never listed.
Reply class_reply(Reading& reading, const Parameters& parameters);

}  // namespace qdedup::page
