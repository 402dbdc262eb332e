#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "miner/clusters.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// The clusters of the merge, and behind them those that past deletions want decided anew.
class ClusterList {
 public:
  // Both are to outlive the object.
  ClusterList(const miner::Clusters& merged, const std::vector<std::vector<QuestionId>>& others)
      : merged_(merged), others_(others) {}

  [[nodiscard]] std::size_t size() const { return merged_.size() + others_.size(); }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t cluster) const {
    return is_merged(cluster) ? merged_.ids(cluster)
                              : std::span<const QuestionId>(others_[cluster - merged_.size()]);
  }

  // Whether it is of the merge: these share no question with each other.
  [[nodiscard]] bool is_merged(std::size_t cluster) const { return cluster < merged_.size(); }
  [[nodiscard]] const std::vector<std::vector<QuestionId>>& others() const { return others_; }

 private:
  const miner::Clusters& merged_;
  const std::vector<std::vector<QuestionId>>& others_;
};

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

// Clusters that must be refined together, in their order, because they share a question: directly, or through
// the keeper that stands in for a question with an open deletion. Units do not concern each other.
using ClusterUnit = std::vector<std::size_t>;  // numbers of clusters, ascending

// The units, by their first cluster, of those clusters that past deletions concern: because one of their
// questions has an open deletion, or is the keeper of one, or is to be decided anew. All other clusters are
// free: each stands for itself, with nothing but the texts to be considered. Linear in the number of ids, and
// n log n in what is concerned.
std::vector<ClusterUnit> concerned_units(const ClusterList& clusters, const DeletionIndex& open);

}  // namespace qdedup::iteration
