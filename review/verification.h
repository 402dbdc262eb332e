#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/duplicate_test.h"

namespace qdedup::review {

// Checks what each deletion rests on: that a kept question with a smaller id passes the duplicate test with
// it directly.
class DirectWitness {
 public:
  // Both must outlive it.
  static Result<DirectWitness> create(db::Store& store, db::Bank& bank);

  // What is wrong with an open deletion at this moment, if anything is:
  //   keeper-gone     the keeper has no text in the bank (what was applied may outlive its keeper)
  //   keeper-listed   the keeper is openly deleted itself
  //   text-changed    a text is not the one that was compared
  //   not-duplicates  the two do not pass the test, under the settings of the iteration that compared them
  //   last other-distance  they do, but not with the distance and length that are recorded
  // A question that has left the bank cannot be compared any more: of it only the keeper is looked at.
  Result<std::optional<std::string>> breach(const db::DeletionRow& deletion);

  // The same of a verified pair that is no deletion: its keeper may be listed.
  Result<std::optional<std::string>> breach_of_pair(const db::DeletionRow& pair);

 private:
  DirectWitness(db::Store& store, db::Bank& bank) : deletions_(store), bank_(bank) {}

  [[nodiscard]] refine::DuplicateSettings settings_of(const db::DeletionRow& deletion) const;
  Result<std::optional<std::string>> breach_of_test(const db::DeletionRow& deletion);

  db::Deletions deletions_;
  db::Bank& bank_;
  std::map<std::int64_t, refine::DuplicateSettings> settings_;  // by iteration
  std::map<std::int64_t, std::int64_t> repointed_in_;           // deletion -> the last iteration that did
};

// Something that is wrong.
struct Breach {
  std::string kind;  // of DirectWitness, of db::History, of db::Classes, or "damaged"
  std::int64_t deletion_id = 0;
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::string detail;  // of damage and of classes; of a deletion empty
};

struct VerificationCounts {
  std::uint64_t open = 0;  // deletions that were looked at
  std::uint64_t breaches = 0;
};

// Verifies each page of the store and of the bank; where all are sound, the whole store as of one moment:
// each open deletion and each other verified pair has its direct witness, classes rest on them, records agree
// with statuses and classes, and the file is sound. Reads two texts for each of these. Of the bank it sees
// each question as it is when it is looked at.
Result<VerificationCounts> verify(db::Store& store, db::Bank& bank,
                                  const std::function<void(const Breach&)>& take, const Progress& progress);

// Approved deletions that are no longer right.
struct Recheck {
  std::vector<db::Withdrawal> withdrawn;
  std::vector<db::ReopenedPair> reopened;  // those of them whose texts changed: they are to be decided anew
};

// Checks the approved ones among the deletions that pass `filter` against the bank as it is now
// (DirectWitness). Changes nothing.
Result<Recheck> recheck_approved(db::Store& store, db::Bank& bank, db::DeletionFilter filter);

}  // namespace qdedup::review
