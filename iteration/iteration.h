#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "db/evidence.h"
#include "iteration/draft.h"
#include "miner/seed_lists.h"

namespace qdedup::iteration {

// Runs one iteration: merges the evidence not yet consumed, refines the clusters, and commits the deletion
// list together with the consumption of the evidence, completely or not at all. Fails if the bank is empty or
// its last import was interrupted.
Result<StoredIteration> run_iteration(const IterationContext& context,
                                      std::optional<std::chrono::sys_seconds> slot = {});

// The lists of the evidence up to `last_id` that has not been consumed, chunk by chunk. With at least two
// threads, the next chunk is decoded while one is being taken; taking always happens on the caller's thread.
// `evidence` must outlive the source.
miner::ListSource evidence_lists(db::Evidence& evidence, std::int64_t last_id, unsigned threads);

}  // namespace qdedup::iteration
