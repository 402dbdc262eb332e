#pragma once

#include "page/request.h"

namespace qdedup::page {

// GET /api/review/dashboard: how the weeks went, the newest 26 iterations, oldest first:
//   {"questions":N, "waiting":{"lists":N,"bytes":N},
//    "iterations":[{id, kind, finished_at, withheld, lists, clusters, ids, missing, deletions, coverage,
//                   "statuses":{"pending":N,…}, "confidences":{"safe":N,…}}],
//    "reasons":[{"reason":"polarity", "points":[{"iteration":N,"listed":N,"decided":N,"rejected":N}]}]}
// `coverage` is the share of the bank's questions that the iteration's lists named. Deletions without a
// reason are under "safe"; `decided` are those that people approved (applied or not) or rejected.
Answer dashboard_answer(Reading& reading);

}  // namespace qdedup::page
