#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/classes.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "engine/decide.h"
#include "iteration/bank_index.h"
#include "markup/extract.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// A question that may be new.
struct AskedQuestion {
  std::optional<QuestionId> id;  // required to enter the bank
  std::string text;              // UTF-8
  std::optional<std::string> answer = std::nullopt;
  std::vector<std::string> images = {};                   // db::images_of
  std::optional<std::int64_t> arrived_at = std::nullopt;  // seconds since 1970; none: when it is added
};

struct CheckOutcome {
  // With the smallest id that passes the duplicate test and is kept: in the bank, without an open deletion
  // that is still valid (db::standing_of), and not the question itself. Its `question` is 0 if the question
  // has no id.
  std::optional<refine::AnnotatedDeletion> duplicate_of;
  // Why a question can neither be added nor join a class: its text is not compared, or, where questions are
  // added, any other reason.
  std::string refused;
  // The rest only where questions are added. A duplicate is not added: it joins its class (db/arrivals.h).
  bool added = false;
  bool joined = false;
  // The class it is in now; of a duplicate that is in none that of duplicate_of.
  std::optional<db::ClassSummary> members;
};

// Of the kept questions of the bank that a question duplicates, so many are looked for where it is added.
inline constexpr std::size_t max_duplicates = 64;
// So many members of a class are listed.
inline constexpr std::int64_t max_members_listed = 100;

// Called between comparisons; if it returns an error, so does the check, and nothing is added.
using GoOn = std::function<Status()>;

// Compares the questions with the current bank, by doc/rules.md, 3, with the weights in force in the store;
// the outcomes are in the same order. With an index of this bank, which must then be read-only, reads only
// the texts that the index names. Without one, or if these are too many, or the index has other settings or
// cannot follow the bank, reads the bank once, however many questions there are, and examines only texts with
// the signs of a question. Memory is linear in the questions. ErrorCode::busy if something that was found
// changes meanwhile, or if the bank was made by another version.
Result<std::vector<CheckOutcome>> check_questions(
    std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
    engine::DecisionSettings settings, BankIndex* index = nullptr,
    const GoOn& go_on = [] { return Status(); });

// The same, and adds the new questions to the bank, and the duplicates to what arrived, all or none: each in
// its class at once. Of several that are duplicates of each other, the first is added, and the others are
// duplicates of it. A question whose id is already in the bank or arrived already, or is paired with another
// text (db::Arrivals), that has no id or no text, or none that is compared, or that is too long
// (refine::max_compared_bytes) is not added. Of a duplicate at most max_duplicates kept questions of the bank
// are looked for, those with the smallest ids. Nobody else may change the state meanwhile; the bank's
// `on_activity` is called while questions are compared, too. ErrorCode::data while an interrupted import has
// yet to be run again. Texts of a new bank are extracted as `wanted`.
Result<std::vector<CheckOutcome>> add_new_questions(
    std::span<const AskedQuestion> questions, db::Store& store, db::StoreWriter& writing, db::Bank& bank,
    engine::DecisionSettings settings, const markup::Options& wanted, const Clock& clock,
    BankIndex* index = nullptr, const GoOn& go_on = [] { return Status(); });

}  // namespace qdedup::iteration
