#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "db/store.h"
#include "db/verified_pairs.h"
#include "engine/past.h"

namespace qdedup::iteration {

// What past deletions mean today (doc/rules.md, 5).
struct Revalidated {
  engine::Past past;
  // No longer open or rejected: a text changed, or the keeper left the bank.
  std::vector<db::Withdrawal> withdrawn;
  std::int64_t last_reopened_id = 0;  // of the pairs in `past.reopened` that were withdrawn before
};

// Compares each open or rejected deletion with the bank of this moment. Reads each of their texts; memory is
// linear in their number.
Result<Revalidated> revalidate_deletions(db::Deletions& deletions, db::Bank& bank);

// The verified pairs beside the deletions that no longer hold: a text changed, the kept question left the
// bank, or the other one did and has no deletion that is still open. Reads the two texts of each pair.
Result<std::vector<db::LostPair>> find_stale_pairs(db::Store& store, db::Bank& bank,
                                                   const engine::DeletionIndex& open);

}  // namespace qdedup::iteration
