#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "db/history.h"
#include "db/store.h"

namespace qdedup::review {

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
  std::vector<db::ReopenedPair> reopened;  // those of which a text or an answer changed, to be decided again
};

// Checks the approved deletions that match `filter` against the present bank. Changes nothing.
Result<Recheck> recheck_approved(db::Store& store, db::Bank& bank, db::DeletionFilter filter);

}  // namespace qdedup::review
