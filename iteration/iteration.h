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
// list together with the consumption of the evidence; whole or not at all. Fails on a bank that is empty or
// whose last import was interrupted.
Result<StoredIteration> run_iteration(const IterationContext& context,
                                      std::optional<std::chrono::sys_seconds> slot = {});

// The lists of the evidence up to `last_id` that was not yet consumed, chunk by chunk. With two threads or
// more, a chunk is decoded while the one before is being taken; that is always done on the caller's thread.
// `evidence` is to outlive the source.
miner::ListSource evidence_lists(db::Evidence& evidence, std::int64_t last_id, unsigned threads);

}  // namespace qdedup::iteration
