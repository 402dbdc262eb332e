#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "engine/components.h"
#include "engine/decide.h"
#include "engine/past.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// Decides all clusters, using the texts of the bank. Reads the sketches of all questions involved, as many at
// a time as memory allows, and then the texts of only those that may be duplicates. The clusters, the result
// and a single component may take memory beyond the limit.
Result<refine::AnnotatedOutcome> refine_clusters(const engine::ClusterList& clusters,
                                                 const engine::Past& past, db::Bank& bank,
                                                 const engine::Measure& measure,
                                                 const config::ResourceSettings& resources,
                                                 const Progress& progress);

}  // namespace qdedup::iteration
