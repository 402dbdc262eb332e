#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "engine/sign_groups.h"
#include "finder/near_finder.h"
#include "iteration/draft.h"

namespace qdedup::iteration {

// How much a sweep takes at once. What it comes to does not depend on it.
struct SweepLimits {
  std::size_t questions_per_pass = 2'000'000;  // that are held in memory together
  std::size_t indexed_at_once = 0;             // 0: as many as there is memory for
  std::size_t block = engine::GroupLimits().block;
  std::size_t large_group = engine::GroupLimits().large_group;
  std::size_t near_slice = 256;  // consecutive texts that a thread looks up, at least 1
};

// Runs one iteration over the whole bank, as if it were one cluster without a cap (doc/rules.md, 3 to 5), and
// commits its deletion list, whole or not at all. Only questions with equal signs are compared, in passes of
// a bounded number of them. What a pass has found to be no duplicates is noted in the bank, whether the sweep
// comes to its end or not: a later sweep, or the same one after it was killed, compares only what is new or
// was changed with all, and comes to the same list. Fails as run_iteration does.
Result<StoredIteration> run_sweep(const IterationContext& context, const SweepLimits& limits = {});

struct NearSweepReport {
  StoredIteration iteration;
  std::uint64_t questions = 0;   // that were looked up
  std::uint64_t candidates = 0;  // pairs that the finder's index brought up
};

// As run_sweep, but only questions are compared that hang together by what the finder finds near them
// (iteration/near_groups.h). What is found is held to the same rules; duplicates may be missed. Nothing is
// noted: a later sweep looks at all again. Reads the bank twice, and once for each pass.
Result<NearSweepReport> run_near_sweep(const IterationContext& context,
                                       std::unique_ptr<finder::NearFinder> finder,
                                       const SweepLimits& limits = {});

}  // namespace qdedup::iteration
