#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "db/evidence.h"
#include "iteration/draft.h"
#include "logs/files.h"
#include "spark/draft.h"
#include "spark/plan.h"

// Iterations over a bank and logs that are in a lake: the state says what to do, a cluster does it, and the
// result is committed like any iteration.
namespace qdedup::iteration {

// What an iteration depends on now. Fails if the state has a bank of its own, or evidence that waits.
Result<spark::Plan> lake_plan(const IterationContext& context);

// Reads all files in `folder` that do not begin with "_" or "."; any may be packed. Fails if there is no
// _SUCCESS, or anything is missing.
Result<spark::Draft> read_lake_draft(const std::string& folder, const logs::Files& files);

// What became of the lines of these logs.
LineTotals line_totals(const std::vector<spark::MinedLakeLog>& logs);

// Commits the draft, completely or not at all, like run_iteration(). Fails if it was made from another plan
// than lake_plan() makes now.
Result<StoredIteration> commit_lake_draft(const IterationContext& context, spark::Draft draft);

}  // namespace qdedup::iteration
