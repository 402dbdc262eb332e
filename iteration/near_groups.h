#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"
#include "engine/past.h"
#include "finder/signature_scheme.h"

namespace qdedup::iteration {

// What the search for them may take. The result does not depend on it, but for how many candidates there are.
struct NearMeans {
  unsigned threads = 1;     // 0: as many as there are cores
  std::size_t slice = 256;  // consecutive texts that a thread looks up, at least 1
};

// Questions that hang together by what is near them.
struct NearGroups {
  // Of each question with a text, by id: the same for two questions that have the same sign fingerprint and
  // hang together, and for no others.
  std::vector<std::uint64_t> fingerprints;
  std::uint64_t candidates = 0;  // pairs that the finder's index brought up
};

// Two questions hang together when their Han parts are near each other by the scheme, or when others stand
// between them of which each is near the next. (Where a question has no Han part, its signs are looked at.)
// So do a question and its keeper, and what past deletions want decided together. Reads the bank twice;
// memory is linear: some 40 bytes for each question, and the scheme's index. ErrorCode::config where that
// cannot have as many keys as the scheme gives (finder::NearIndex::build).
Result<NearGroups> near_groups(db::Bank& bank, std::unique_ptr<finder::SignatureScheme> scheme,
                               const engine::Past& past, const NearMeans& means, const Progress& progress);

}  // namespace qdedup::iteration
