#pragma once

#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"
#include "refine/contrast.h"
#include "refine/risk_learning.h"

namespace qdedup::review {

// The pairs on which people decided one by one, as they were compared then, each with the last decision on
// it. Left out are those with the same words, and those that are doubtful whatever their words say.
Result<std::vector<refine::JudgedPair>> judged_pairs(db::Store& store, db::Bank& bank,
                                                     const refine::ContrastSettings& settings);

}  // namespace qdedup::review
