#pragma once

#include <chrono>
#include <optional>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "db/store.h"
#include "db/store_writer.h"

namespace qdedup::iteration {

// Runs one iteration: merges the evidence not yet consumed, refines the clusters, and commits the deletion
// list together with the consumption of the evidence; whole or not at all. Reads the store through `reading`,
// a connection of its own, so that mining goes on meanwhile; `writing` is used for the commit alone. Answers
// the iteration as it was stored, or nothing when there was nothing new to decide (then nothing is stored).
// Fails on a bank that is empty or whose last import was interrupted.
Result<std::optional<db::IterationRecord>> run_iteration(db::Store& reading, db::StoreWriter& writing,
                                                         db::Bank& bank, const config::Settings& settings,
                                                         const Clock& clock, const Progress& progress,
                                                         std::optional<std::chrono::sys_seconds> slot = {});

}  // namespace qdedup::iteration
