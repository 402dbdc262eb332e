#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"

namespace qdedup::db {

// A log file in a lake, and what became of its lines.
struct LakeLogRecord {
  std::string path;
  std::uint64_t bytes = 0;  // of the file
  std::string content;      // checksum of the unpacked bytes
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
  std::uint64_t unselected = 0;
  std::uint64_t rejected = 0;
};

// The log files in a lake that iterations were made of, by path.
Result<std::vector<LakeLogRecord>> lake_logs(Store& store);

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

// Whether anything in the store came from a bank in its folder, and not from one in a lake.
Result<bool> remembers_bank(Store& store);

// These work within the open transaction, and throw what the library throws.
void add_lake_logs(SQLite::Database& database, std::int64_t iteration, std::span<const LakeLogRecord> logs);
void put_lake_questions(SQLite::Database& database, std::span<const BankQuestion> questions);
void remove_lake_questions(SQLite::Database& database, std::span<const QuestionId> ids);

}  // namespace qdedup::db
