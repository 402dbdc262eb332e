#pragma once

#include <optional>
#include <ostream>

#include "base/json.h"
#include "base/result.h"
#include "iteration/mining.h"
#include "miner/seed_lists.h"

namespace qdedup::cli {

// Reports what is special about single logs: problems, cut logs, copies; and which settings to look at where
// nothing was selected, or a tenth of the lines or more was rejected.
void report_log_problems(std::ostream& err, const iteration::MiningReport& report,
                         const miner::SelectionSettings& selection, bool quiet);

// The report for --json: the totals, and those of each log with what became of it.
Json mining_json(const iteration::MiningReport& report);

// That some logs could not be read, with the code of the first; nothing when each was.
std::optional<Error> problem_of(const iteration::MiningReport& report);

}  // namespace qdedup::cli
