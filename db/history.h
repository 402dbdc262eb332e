#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/store.h"

namespace qdedup::db {

// An inconsistency in the state.
struct Breach {
  std::string kind;  // of History, Classes, Arrivals or review::verify, or "damaged" or "tally-wrong"
  std::int64_t deletion_id = 0;
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::string detail;  // empty for a deletion
};

// One of a pair that is no deletion.
Breach breach_of_pair(std::string_view kind, QuestionId question, QuestionId keeper);

// A query for what is inconsistent.
struct Check {
  const char* kind;
  const char* query;
};

// What each query, between `begin` and `end`, finds: a deletion (0 for none), a question and its keeper.
Result<std::vector<Breach>> breaches_of(Store& store, std::span<const Check> checks, const std::string& begin,
                                        const std::string& end);

// Compares the records of decisions and re-pointings with the deletions.
class History {
 public:
  explicit History(Store& store) : store_(store) {}

  // Damage that SQLite finds in the file, and rows with dangling references; empty if there is none.
  Result<std::vector<std::string>> damage();

  // By kind, then by deletion:
  //   audit-broken       a decision does not begin with the status that the one before left
  //   audit-incomplete   the status is not what the last decision left (with none: pending)
  //   repointing-broken  a re-pointing does not begin with the keeper that the one before left, or goes to a
  //                      keeper that is not smaller, or the last one did not lead to the keeper
  //   held-approved      approved or applied, though its iteration is withheld
  //   rejected-listed    open, though the same pair was rejected with the same texts
  Result<std::vector<Breach>> breaches();

 private:
  Store& store_;
};

}  // namespace qdedup::db
