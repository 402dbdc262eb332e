#pragma once

#include <optional>
#include <span>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// The questions of listed pairs, of a bank in a lake, as the last iteration saw them.
class LakeQuestions {
 public:
  explicit LakeQuestions(Store& store) : store_(store) {}

  Result<std::optional<BankQuestion>> find(QuestionId id);

  // By id, without fingerprints.
  Result<Cursor<BankQuestion>> all();

  // In one transaction.
  Status update(std::span<const BankQuestion> present, std::span<const QuestionId> gone);

 private:
  Store& store_;
};

// Whether iterations were decided on Spark: of each, a log or a question of a pair is known.
Result<bool> knows_lake(Store& store);

// These work within the open transaction, and throw what the library throws.
void put_lake_questions(SQLite::Database& database, std::span<const BankQuestion> questions);
void remove_lake_questions(SQLite::Database& database, std::span<const QuestionId> ids);

}  // namespace qdedup::db
