#pragma once

#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "db/withdrawal.h"

namespace qdedup::review {

// Approved deletions that do not hold any more.
struct Recheck {
  std::vector<db::Withdrawal> withdrawn;
  std::vector<db::ReopenedPair> reopened;  // those of them whose texts changed: they are to be decided anew
};

// Holds the approved ones among the deletions that pass `filter` against the bank of this moment
// (DirectWitness). Changes nothing.
Result<Recheck> recheck_approved(db::Store& store, db::Bank& bank, db::DeletionFilter filter);

}  // namespace qdedup::review
