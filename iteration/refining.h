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

// Decides all clusters over the texts of the bank. Reads the sketches of all questions concerned, as many at
// once as there is memory for, and then the texts only of those that may be duplicates. The memory is that
// beside the clusters, the result, and what one component takes.
Result<refine::AnnotatedOutcome> refine_clusters(const engine::ClusterList& clusters,
                                                 const engine::Past& past, db::Bank& bank,
                                                 const engine::Measure& measure,
                                                 const config::ResourceSettings& resources,
                                                 const Progress& progress);

}  // namespace qdedup::iteration
