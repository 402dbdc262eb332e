#pragma once

#include <cstdint>

#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"
#include "engine/revalidation.h"

namespace qdedup::iteration {

// What past iterations and reviewers left in the store.
struct StoredPairs {
  engine::ListedPairs pairs;
  std::int64_t last_reopened_id = 0;  // of the reopened pairs
};

// Memory is linear in the number of pairs.
Result<StoredPairs> read_pairs(db::Store& store);

// Looks each text up in the bank, which must outlive it.
engine::PresentText present_in(db::Bank& bank);

}  // namespace qdedup::iteration
