#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "engine/sign_groups.h"
#include "finder/near_finder.h"
#include "iteration/draft.h"

namespace qdedup::iteration {

// How much a sweep handles at a time. The result does not depend on it.
struct SweepLimits {
  std::size_t questions_per_pass = 2'000'000;  // held in memory together
  std::size_t indexed_at_once = 0;             // 0: as many as fit into memory
  std::size_t block = engine::GroupLimits().block;
  std::size_t large_group = engine::GroupLimits().large_group;
  std::size_t near_slice = 256;  // consecutive texts that a thread looks up, at least 1
};

// Runs one iteration over the whole bank, as if it were one cluster without a cap (doc/rules.md, 3 to 5), and
// commits its deletion list, completely or not at all. Only questions with equal signs are compared, in
// passes of a bounded number of them. Questions that a pass found to have no duplicates are recorded in the
// bank, even if the sweep does not finish: a later sweep, or the same one after it was killed, compares only
// new and changed questions with all others, and gets the same list. Fails as run_iteration does.
Result<StoredIteration> run_sweep(const IterationContext& context, const SweepLimits& limits = {});

struct NearSweepReport {
  StoredIteration iteration;
  std::uint64_t questions = 0;   // looked up
  std::uint64_t candidates = 0;  // pairs that the finder's index proposed
};

// Like run_sweep, but compares only questions that are connected by what the finder considers near
// (iteration/near_groups.h). The same rules apply to what is found, but duplicates may be missed. Records
// nothing, so a later sweep compares all questions again. Reads the bank twice, and once more for each pass.
Result<NearSweepReport> run_near_sweep(const IterationContext& context,
                                       std::unique_ptr<finder::NearFinder> finder,
                                       const SweepLimits& limits = {});

}  // namespace qdedup::iteration
