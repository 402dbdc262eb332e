#pragma once

#include <optional>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/classes.h"
#include "db/store.h"

namespace qdedup::review {

// Questions verified to be the same, from logs and sweeps: each passed the duplicate test with another one of
// the class. One of the bank represents them. No question is in two classes (db/class_updater.h).
struct QuestionClass {
  QuestionId representative = 0;
  std::vector<db::ClassMember> members;  // without the representative, by question
  std::vector<db::ClassChange> changes;  // of questions that are or were in it, oldest first
};

// A question of the bank, or one that arrived and is not there (db/arrivals.h).
Result<std::optional<db::BankQuestion>> find_question(QuestionId question, db::Store& store, db::Bank& bank);

// The class of a question; just the question itself if nothing is known of it. ErrorCode::no_input if it is
// neither in the bank nor in any class.
Result<QuestionClass> class_of(QuestionId question, db::Store& store, db::Bank& bank);

}  // namespace qdedup::review
