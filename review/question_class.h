#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "review/export.h"

namespace qdedup::review {

// Questions that are verified to be the same: one that is kept, the smallest id, and those that are deleted
// in its favour at the moment, from logs and sweeps. Each was compared with the representative directly, so
// no question is in two classes.
struct QuestionClass {
  QuestionId representative = 0;
  std::vector<db::DeletionRow> members;  // without the representative, by question
};

// The class of a question: of itself alone when nothing is known of it. ErrorCode::no_input when it is
// neither in the bank nor on any list.
Result<QuestionClass> class_of(QuestionId question, db::Store& store, db::Bank& bank);

// Writes all classes of two questions and more, a line for each member but the representative:
// representative, id, similarity, distance, length, confidence, status, iteration; by representative, then
// id. Answers the number of lines.
Result<std::uint64_t> export_classes(db::Store& store, ExportFormat format, std::ostream& out);

}  // namespace qdedup::review
