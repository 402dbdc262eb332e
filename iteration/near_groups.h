#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"
#include "engine/past.h"
#include "finder/near_finder.h"

namespace qdedup::iteration {

// Groups of questions connected by nearness.
struct NearGroups {
  // One value for each question with a text, by id: equal for two questions if they have the same sign
  // fingerprint and are connected, and only then.
  std::vector<std::uint64_t> fingerprints;
  std::uint64_t candidates = 0;  // pairs that the finder's index proposed
};

// Two questions are connected if the finder considers their Han parts near each other, or through a chain of
// such questions. (For a question without a Han part, its signs are used.) A question and its keeper are
// connected too, as are questions that past deletions require to be decided together. Reads the bank twice;
// memory is linear: some 40 bytes per question, plus the finder's index. ErrorCode::config if that would be
// too large (finder::NearFinder::build). A thread looks up `slice` consecutive texts at a time; that affects
// the number of candidates, but not the result.
Result<NearGroups> near_groups(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder,
                               const engine::Past& past, unsigned threads, std::size_t slice,
                               const Progress& progress);

}  // namespace qdedup::iteration
