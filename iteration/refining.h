#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "iteration/cluster_units.h"
#include "iteration/reconsidering.h"
#include "refine/character_counts.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// What refining clusters gives.
struct Refined {
  std::vector<db::NewDeletion> deletions;  // by question
  std::vector<db::NewDeletion> repointed;  // open deletions with a new keeper, by question
  std::vector<db::NewDeletion> further;    // pairs beside the deletions: refine::KeeperChoice::further
  std::uint64_t missing = 0;               // questions without text in the bank
  std::uint64_t held = 0;                  // keepers that had to stay
};

// What refining may take. The result does not depend on it.
struct RefiningMeans {
  unsigned threads = 0;            // 0: as many as there are cores
  std::uint64_t memory_bytes = 0;  // about; beside the clusters, the result, and what one unit takes
};

// Chooses keepers in all clusters (refine::choose_keepers) over the texts of the bank. `past` is what earlier
// iterations decided, `characters` are the bank's. Reads the sketches of all questions concerned, as many at
// once as there is memory for, and then the texts only of those that may be duplicates.
Result<Refined> refine_clusters(const ClusterList& clusters, const Reconsidered& past, db::Bank& bank,
                                const refine::CharacterCounts& characters,
                                const refine::DuplicateSettings& settings, const RefiningMeans& means,
                                const Progress& progress);

}  // namespace qdedup::iteration
