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

// Questions that hang together by what is near them.
struct NearGroups {
  // Of each question with a text, by id: the same for two questions that have the same sign fingerprint and
  // hang together, and for no others.
  std::vector<std::uint64_t> fingerprints;
  std::uint64_t candidates = 0;  // pairs that the finder's index brought up
};

// Two questions hang together when their Han parts are near each other by the finder, or when others stand
// between them of which each is near the next. (Where a question has no Han part, its signs are looked at.)
// So do a question and its keeper, and what past deletions want decided together. Reads the bank twice;
// memory is linear: some 40 bytes for each question, and the finder's index. ErrorCode::config where that
// would be too large (finder::NearFinder::build). A thread looks up `slice` consecutive texts at a time,
// which the candidates depend on, but not the result.
Result<NearGroups> near_groups(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder,
                               const engine::Past& past, unsigned threads, std::size_t slice,
                               const Progress& progress);

}  // namespace qdedup::iteration
