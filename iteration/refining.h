#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "iteration/reconsidering.h"
#include "refine/character_counts.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// What refining clusters gives.
struct Refined {
  std::vector<db::NewDeletion> deletions;  // by question
  std::vector<db::NewDeletion> repointed;  // open deletions with a new keeper, by question
  std::uint64_t missing = 0;               // questions without text in the bank
  std::uint64_t held = 0;                  // keepers that had to stay
};

// Chooses keepers in all clusters (refine::choose_keepers) over the texts of the bank. `past` is what earlier
// iterations decided, `characters` are the bank's. Reads only texts that have a partner with the same sign
// fingerprint; memory is bounded by a batch of clusters. The result does not depend on `threads`.
Result<Refined> refine_clusters(std::span<const std::span<const QuestionId>> clusters,
                                const Reconsidered& past, db::Bank& bank,
                                const refine::CharacterCounts& characters,
                                const refine::DuplicateSettings& settings, unsigned threads,
                                const Progress& progress);

}  // namespace qdedup::iteration
