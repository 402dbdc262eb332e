#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "engine/past.h"
#include "miner/clusters.h"
#include "refine/contrast.h"
#include "refine/keepers.h"

namespace qdedup::engine {

// The clusters of the merge, followed by those that past deletions reopen.
class ClusterList {
 public:
  // Both must outlive the object.
  ClusterList(const miner::Clusters& merged, const std::vector<std::vector<QuestionId>>& others)
      : merged_(merged), others_(others) {}

  [[nodiscard]] std::size_t size() const { return merged_.size() + others_.size(); }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t cluster) const {
    return cluster < merged_.size() ? merged_.ids(cluster)
                                    : std::span<const QuestionId>(others_[cluster - merged_.size()]);
  }
  [[nodiscard]] const std::vector<std::vector<QuestionId>>& others() const { return others_; }

 private:
  const miner::Clusters& merged_;
  const std::vector<std::vector<QuestionId>>& others_;
};

// Clusters that must be decided together because they share a question, directly or through the keeper that
// stands in for a question with an open deletion.
using ClusterComponent = std::vector<std::size_t>;  // numbers of clusters, ascending

// The components, by their first cluster, of the dependent clusters: those with a question that has an open
// deletion, is the keeper of one, or is reopened. All other clusters are independent. O(ids + n log n) for n
// dependent clusters.
std::vector<ClusterComponent> dependent_components(const ClusterList& clusters, const DeletionIndex& open);

// What a component needs to know about a question.
struct ComponentQuestion {
  bool has_text = true;      // in the bank
  bool is_candidate = true;  // may be a duplicate of another one in the component, so its text is needed
  refine::QuestionText text;
};

// What has to be decided together.
struct Component {
  std::vector<std::vector<QuestionId>> clusters;
  std::vector<refine::Deletion> open;        // those that concern the clusters, by question
  std::vector<QuestionId> ids;               // all that are involved, ascending
  std::vector<ComponentQuestion> questions;  // by position in `ids`

  // The position of one of `ids`.
  [[nodiscard]] std::size_t position(QuestionId id) const;
};

// A single independent cluster. `ids` ascend; all are candidates.
Component independent_component(std::span<const QuestionId> ids);

// One of dependent_components(); all questions are candidates.
Component dependent_component(const ClusterComponent& numbers, const ClusterList& clusters,
                              const DeletionIndex& open);

}  // namespace qdedup::engine
