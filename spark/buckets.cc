#include "spark/buckets.h"

#include <algorithm>

namespace qdedup::spark {

Buckets::Buckets(const engine::ClusterList& clusters, const engine::DeletionIndex& open,
                 std::size_t ids_at_once)
    : clusters_(clusters),
      open_(open),
      ids_at_once_(ids_at_once),
      dependent_(engine::dependent_components(clusters, open)),
      is_dependent_(clusters.size()) {
  for (const engine::ClusterComponent& component : dependent_) {
    for (const std::size_t cluster : component) is_dependent_[cluster] = true;
  }
}

std::optional<std::vector<Member>> Buckets::next() {
  std::vector<Member> members;
  for (; next_dependent_ < dependent_.size() && members.size() < ids_at_once_; ++next_dependent_) {
    const engine::ClusterComponent& numbers = dependent_[next_dependent_];
    const std::size_t first = members.size();
    for (const std::size_t cluster : numbers) take_cluster(cluster, members);
    std::vector<QuestionId> listed;
    for (std::size_t i = first; i < members.size(); ++i) listed.push_back(members[i].id);
    std::ranges::sort(listed);
    for (const QuestionId id : engine::dependent_component(numbers, clusters_, open_).ids) {
      if (!std::ranges::binary_search(listed, id)) members.push_back({Member::in_no_cluster, id});
    }
  }
  if (next_dependent_ == dependent_.size()) {
    for (; next_independent_ < clusters_.size() && members.size() < ids_at_once_; ++next_independent_) {
      if (!is_dependent_[next_independent_]) take_cluster(next_independent_, members);
    }
  }
  if (members.empty()) return std::nullopt;
  return members;
}

void Buckets::take_cluster(std::size_t cluster, std::vector<Member>& members) const {
  for (const QuestionId id : clusters_.ids(cluster))
    members.push_back({static_cast<std::int64_t>(cluster), id});
}

}  // namespace qdedup::spark
