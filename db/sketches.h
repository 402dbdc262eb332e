#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/sketch_run.h"

namespace qdedup::db {

// Which ids a run concerns, and how many.
struct RunRange {
  QuestionId first = 0;
  QuestionId last = 0;
  std::uint64_t entries = 0;
};

// The sketches of all questions of the bank, in runs: each commit of an import adds one. To read them all
// takes some 15 ns a question, a thirtieth of what its row takes.
class Sketches {
 public:
  explicit Sketches(Bank& bank) : bank_(bank) {}

  // How many entries the runs have: as many as the bank has questions, and more where questions changed.
  Result<std::uint64_t> entries();

  // The runs that may concern ids from `first` to `last`, oldest first.
  Result<std::vector<RunRange>> runs(QuestionId first, QuestionId last);

  // Hands each of these runs to `take`, oldest first: of each question the last entry holds.
  Status for_each_run(QuestionId first, QuestionId last, const std::function<void(const SketchRun&)>& take);

 private:
  Bank& bank_;
};

// What a run says of a question that is put into the bank.
SketchEntry sketch_entry(const BankQuestion& question);

// Adds a run of `entries`, which are sorted, each question once; nothing where there are none. To be called
// within a transaction; throws SQLite::Exception.
void add_run(SQLite::Database& database, std::vector<SketchEntry>& entries);

}  // namespace qdedup::db
