#pragma once

#include <cstdint>

#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"
#include "engine/components.h"
#include "engine/decide.h"
#include "engine/past.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// What refining may take. The result does not depend on it.
struct RefiningMeans {
  unsigned threads = 0;            // 0: as many as there are cores
  std::uint64_t memory_bytes = 0;  // about; beside the clusters, the result, and what one component takes
};

// Decides all clusters over the texts of the bank. Reads the sketches of all questions concerned, as many at
// once as there is memory for, and then the texts only of those that may be duplicates.
Result<refine::AnnotatedOutcome> refine_clusters(const engine::ClusterList& clusters,
                                                 const engine::Past& past, db::Bank& bank,
                                                 const engine::Measure& measure, const RefiningMeans& means,
                                                 const Progress& progress);

}  // namespace qdedup::iteration
