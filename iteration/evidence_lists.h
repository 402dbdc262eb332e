#pragma once

#include <cstdint>

#include "db/evidence.h"
#include "miner/seed_lists.h"

namespace qdedup::iteration {

// The lists of the evidence up to `last_id` that was not yet consumed, chunk by chunk. With two threads or
// more, a chunk is decoded while the one before is being taken; that is always done on the caller's thread.
// `evidence` is to outlive the source.
miner::ListSource evidence_lists(db::Evidence& evidence, std::int64_t last_id, unsigned threads);

}  // namespace qdedup::iteration
