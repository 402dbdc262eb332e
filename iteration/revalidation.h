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

// The present meaning of past deletions (doc/rules.md, 5).
struct Revalidated {
  engine::Past past;
  // To withdraw although they are open or rejected: a text changed, or the keeper left the bank.
  std::vector<db::Withdrawal> withdrawn;
  // The last of the pairs withdrawn between iterations that `past.reopened` includes.
  std::int64_t last_reopened_id = 0;
};

// Compares each open or rejected deletion with the current bank. Reads both texts of each; memory is linear
// in their number.
Result<Revalidated> revalidate_deletions(db::Deletions& deletions, db::Bank& bank);

// Verified pairs, other than deletions, that are no longer valid: a text changed, the kept question left the
// bank, or the other one did and has no open deletion. Reads the two texts of each pair.
Result<std::vector<db::LostPair>> find_stale_pairs(db::Store& store, db::Bank& bank,
                                                   const engine::DeletionIndex& open);

}  // namespace qdedup::iteration
