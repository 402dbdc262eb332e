#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "cli/console.h"
#include "config/settings.h"
#include "iteration/mining.h"

namespace qdedup::cli {

// The absolute path of a log, by which it is stored, however it was named from whatever folder. Links among
// its folders stay in it, unless the path goes up (..).
std::string path_everywhere(const std::string& named);

// Reports what is unusual about single logs (problems, truncated logs, copies), and which settings to check
// if nothing was selected or at least a tenth of the lines was rejected.
void report_log_problems(Console& console, const iteration::MiningReport& report,
                         const config::Settings& settings, bool quiet);

// The report for --json: the totals, and those of each log with its outcome.
Json mining_json(const iteration::MiningReport& report);

// An error if some logs could not be read, with the code of the first; none if all could.
std::optional<Error> problem_of(const iteration::MiningReport& report);

}  // namespace qdedup::cli
