#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"
#include "engine/decide.h"
#include "iteration/bank_index.h"
#include "markup/extract.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// A question that may be new.
struct AskedQuestion {
  std::optional<QuestionId> id;  // needed to enter the bank
  std::string text;              // UTF-8
  std::optional<std::string> answer;
};

struct CheckOutcome {
  // With the smallest id that passes the duplicate test and is kept: in the bank, without an open deletion
  // that still holds (db::standing_of), and not the question itself. Its `question` is 0 where that has no
  // id.
  std::optional<refine::AnnotatedDeletion> duplicate_of;
  bool added = false;
  std::string refused;  // why a question did not enter that is no duplicate
};

// Compares the questions with the bank of this moment, by doc/rules.md, 3; the outcomes are in their order.
// With an index of this bank, which must be read-only then, reads only the texts that it names. Where these
// are many, where the index is of other settings or cannot follow, or without one, reads the bank once,
// however many questions there are; of its texts, only those with the signs of a question are looked at.
// Memory is linear in the questions. ErrorCode::busy when the bank changes meanwhile in what was found, or
// was made by another version.
Result<std::vector<CheckOutcome>> check_questions(std::span<const AskedQuestion> questions, db::Store& store,
                                                  db::Bank& bank, const engine::DecisionSettings& settings,
                                                  BankIndex* index = nullptr);

// The same, and those that are new enter the bank in one transaction. Of several that are duplicates of one
// another the first enters, and the others are duplicates of it. One whose id is in the bank already, or that
// has no id or no text, or one that is too long (db::max_compared_bytes), does not enter. Nobody else may
// change the bank meanwhile; its `on_activity` is called while questions are compared, too. ErrorCode::busy
// while an interrupted import waits to be run again. Texts of a new bank are extracted as `wanted`.
Result<std::vector<CheckOutcome>> add_new_questions(std::span<const AskedQuestion> questions,
                                                    db::Store& store, db::Bank& bank,
                                                    const engine::DecisionSettings& settings,
                                                    const markup::Options& wanted, const Clock& clock,
                                                    BankIndex* index = nullptr);

}  // namespace qdedup::iteration
