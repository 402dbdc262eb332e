#pragma once

#include <nlohmann/json_fwd.hpp>

#include "db/evidence.h"
#include "iteration/mining.h"

namespace qdedup::cli {

// "60,000 lines: 20,276 selected, 39,724 unselected, 0 rejected", and a line for each reason of rejection.
void print_line_totals(std::ostream& out, const db::LineTotals& totals);
// The same for --json, with the number of NUL bytes.
nlohmann::ordered_json line_totals_json(const db::LineTotals& totals);

// What mining has to say of single logs: problems, cut logs, copies.
void tell_log_troubles(std::ostream& err, const iteration::MiningReport& report, bool quiet);

// The report for --json: the totals, and those of each log with what became of it.
nlohmann::ordered_json mining_json(const iteration::MiningReport& report);

// The worst problem of the report; nothing when each log was read.
std::optional<Error> problem_of(const iteration::MiningReport& report);

}  // namespace qdedup::cli
