#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "refine/character_counts.h"
#include "refine/duplicate_test.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// The deletions as an iteration lists them, with distances and contrast, in their order. Each passes the
// duplicate test with its keeper, and both are in the bank. Reads the texts in batches, by id.
Result<std::vector<db::NewDeletion>> described_deletions(std::span<const refine::Deletion> deletions,
                                                         db::Bank& bank,
                                                         const refine::CharacterCounts& characters,
                                                         const refine::DuplicateSettings& settings,
                                                         unsigned threads);

}  // namespace qdedup::iteration
