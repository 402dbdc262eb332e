#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"
#include "db/verified_pairs.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// Which verified pairs beside the deletions hold no longer at this moment: a text changed, the kept question
// left the bank, or the other one did and has no deletion that is still open. `open` are those that are, by
// question. Reads the two texts of each pair; adds to `lost`.
Status find_lost_pairs(db::Store& store, db::Bank& bank, std::span<const refine::Deletion> open,
                       std::vector<db::LostPair>& lost);

}  // namespace qdedup::iteration
