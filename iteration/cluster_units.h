#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// Clusters that must be refined together, in their order, because they share a question: directly, or through
// the keeper that stands in for a question with an open deletion. Units do not concern each other.
using ClusterUnit = std::vector<std::size_t>;  // numbers of clusters, ascending

// Cuts `clusters` into units, ordered by their first cluster. `open` are the open deletions by question,
// ascending. n log n in the number of ids; a cluster that shares nothing is a unit of its own.
std::vector<ClusterUnit> units_of(std::span<const std::span<const QuestionId>> clusters,
                                  std::span<const refine::Deletion> open);

// The open deletions, to be found by question or by keeper.
class DeletionIndex {
 public:
  // `by_question` ascends by question, which is there once at most.
  explicit DeletionIndex(std::vector<refine::Deletion> by_question);

  [[nodiscard]] std::span<const refine::Deletion> all() const { return by_question_; }
  [[nodiscard]] std::span<const refine::Deletion> of_question(QuestionId question) const;  // one or none
  [[nodiscard]] std::span<const refine::Deletion> of_keeper(QuestionId keeper) const;

 private:
  std::vector<refine::Deletion> by_question_;
  std::vector<refine::Deletion> by_keeper_;
};

}  // namespace qdedup::iteration
