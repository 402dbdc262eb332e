#pragma once

#include <cstdint>
#include <vector>

#include "db/iterations.h"
#include "iteration/reconsidering.h"
#include "iteration/unit_work.h"
#include "refine/character_counts.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// What deciding a unit gives.
struct UnitOutcome {
  std::vector<db::NewDeletion> deletions;
  std::vector<db::NewDeletion> repointed;
  std::vector<db::NewDeletion> further;  // pairs beside the new deletions: refine::KeeperChoice::further
  std::uint64_t missing = 0;
  std::uint64_t held = 0;
};

// Decides a unit whose candidates have their texts. Pure: it may run beside others.
UnitOutcome decide_unit(const UnitWork& work, const std::vector<RejectedPair>& rejected,
                        const refine::CharacterCounts& characters, const refine::DuplicateSettings& settings);

}  // namespace qdedup::iteration
