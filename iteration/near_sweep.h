#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "finder/text_scheme.h"
#include "iteration/sweep_limits.h"

namespace qdedup::iteration {

struct NearSweepReport {
  std::optional<db::IterationRecord> iteration;  // as it was stored, or nothing when nothing changes
  std::uint64_t questions = 0;                   // that were looked up
  std::uint64_t candidates = 0;                  // pairs that the finder's index brought up
};

// As run_sweep, but only questions are compared that hang together by what the scheme finds near them
// (iteration/near_groups.h). What is found is held to the same rules; duplicates may be missed. Nothing is
// noted: a later sweep looks at all again. Reads the bank twice, and once for each pass.
Result<NearSweepReport> run_near_sweep(db::Store& reading, db::StoreWriter& writing, db::Bank& bank,
                                       const config::Settings& settings, const Clock& clock,
                                       const Progress& progress, std::unique_ptr<finder::TextScheme> scheme,
                                       const SweepLimits& limits = {});

}  // namespace qdedup::iteration
