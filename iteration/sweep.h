#pragma once

#include <optional>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "iteration/sweep_limits.h"

namespace qdedup::iteration {

// Runs one iteration over the whole bank, as if it were one cluster without a cap (doc/rules.md, 3 to 5), and
// commits its deletion list, whole or not at all. Answers the iteration as it was stored, or nothing when
// nothing changes (then nothing is stored). Only questions with equal signs are compared, in passes of a
// bounded number of them. What a pass has found to be no duplicates is noted in the bank, whether the sweep
// comes to its end or not: a later sweep, or the same one after it was killed, compares only what is new or
// was changed with all, and comes to the same list. Fails as run_iteration does.
Result<std::optional<db::IterationRecord>> run_sweep(db::Store& reading, db::StoreWriter& writing,
                                                     db::Bank& bank, const config::Settings& settings,
                                                     const Clock& clock, const Progress& progress,
                                                     const SweepLimits& limits = {});

}  // namespace qdedup::iteration
