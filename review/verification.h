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
#include "db/history.h"
#include "db/store.h"
#include "refine/duplicate_settings.h"

namespace qdedup::review {

// Checks what each deletion rests on: that a smaller, kept question passes the duplicate test with it
// directly.
class DirectWitness {
 public:
  // Both must outlive it.
  static Result<DirectWitness> create(db::Store& store, db::Bank& bank);

  // What is currently wrong with an open deletion, if anything:
  //   keeper-gone     the keeper has no text in the bank (an applied deletion may outlive its keeper)
  //   keeper-listed   the keeper has an open deletion itself
  //   text-changed    a text is not the one that was compared
  //   not-duplicates  the two fail the test, under the settings of the iteration that last compared them
  //   other-distance  they pass, but not with the recorded distance and length
  // A question that has left the bank cannot be compared any more; only its keeper is checked.
  Result<std::optional<std::string>> breach(const db::DeletionRow& deletion);

  // The same for a verified pair that is not a deletion; its keeper may be listed.
  Result<std::optional<std::string>> breach_of_pair(const db::DeletionRow& pair);

 private:
  DirectWitness(db::Store& store, db::Bank& bank) : deletions_(store), bank_(bank) {}

  [[nodiscard]] refine::DuplicateSettings settings_of(const db::DeletionRow& deletion) const;
  [[nodiscard]] std::optional<std::string> breach_of_test(const db::DeletionRow& deletion,
                                                          const db::QuestionPair& texts) const;

  db::Deletions deletions_;
  db::Bank& bank_;
  std::map<std::int64_t, refine::DuplicateSettings> settings_;  // by iteration
  // The last iteration that re-pointed each deletion.
  std::map<std::int64_t, std::int64_t> repointed_in_;
};

struct VerificationCounts {
  std::optional<std::uint64_t> open;  // deletions checked; none if pages are damaged
  std::uint64_t breaches = 0;
};

// Verifies each page of the store and of the bank. If all are sound, verifies a snapshot of the whole store:
// each open deletion and each other verified pair has its direct witness, classes are based on them, records
// agree with statuses, tallies and classes, and the file is sound. Reads two texts for each of these. Sees
// the bank as it is while it checks: it keeps a snapshot of that for a thousand pairs at most.
Result<VerificationCounts> verify(db::Store& store, db::Bank& bank,
                                  const std::function<void(const db::Breach&)>& take,
                                  const Progress& progress);

// Approved deletions that are no longer valid.
struct Recheck {
  std::vector<db::Withdrawal> withdrawn;
  std::vector<db::ReopenedPair> reopened;  // those whose texts changed, to be decided again
};

// Checks the approved deletions that match `filter` against the present bank (DirectWitness). Changes
// nothing.
Result<Recheck> recheck_approved(db::Store& store, db::Bank& bank, db::DeletionFilter filter);

}  // namespace qdedup::review
