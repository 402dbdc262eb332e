#pragma once

#include <vector>

#include "base/json.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/classes.h"
#include "db/store.h"
#include "page/request.h"

namespace qdedup::page {

// Questions verified to be the same, from logs and sweeps: each passed the duplicate test with another one of
// the class. One of the bank represents them. No question is in two classes (db/class_updater.h).
struct QuestionClass {
  QuestionId representative = 0;
  std::vector<db::ClassMember> members;  // without the representative, by question
  std::vector<db::ClassChange> changes;  // of questions that are or were in it, oldest first
};

// The class of a question; just the question itself if nothing is known of it. ErrorCode::no_input if it is
// neither in the bank nor in any class.
Result<QuestionClass> class_of(QuestionId question, db::Store& store, db::Bank& bank);

// The same for `qdedup similar` and GET /v1/similar.
Json question_class_json(QuestionId question, const QuestionClass& found);

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
