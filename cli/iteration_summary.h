#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "cli/session.h"
#include "db/iterations.h"

namespace qdedup::cli {

// Runs one iteration and shows its progress.
Result<std::optional<db::IterationRecord>> iterate(const Session& session, WritableState& state);

// The counts of each step, for people; or that there was nothing new.
void print_iteration(std::ostream& out, const std::optional<db::IterationRecord>& iteration);

// The last lines of that: what became of earlier deletions, and how many are listed.
void print_outcome(std::ostream& out, const db::IterationRecord& iteration);

// null when there was nothing new.
nlohmann::ordered_json iteration_json(const std::optional<db::IterationRecord>& iteration);

}  // namespace qdedup::cli
