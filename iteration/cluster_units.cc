#include "iteration/cluster_units.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "miner/union_find.h"

namespace qdedup::iteration {
namespace {

// "Cluster `cluster` concerns `question`."
struct Concern {
  QuestionId question;
  std::uint32_t cluster;
};

QuestionId stand_in(QuestionId id, std::span<const refine::Deletion> open) {
  const auto found = std::ranges::lower_bound(open, id, {}, &refine::Deletion::question);
  return found != open.end() && found->question == id ? found->keeper : id;
}

std::vector<Concern> concerns_of(std::span<const std::span<const QuestionId>> clusters,
                                 std::span<const refine::Deletion> open) {
  std::vector<Concern> concerns;
  for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
    for (const QuestionId id : clusters[cluster]) {
      concerns.push_back({stand_in(id, open), static_cast<std::uint32_t>(cluster)});
    }
  }
  std::ranges::sort(concerns, {},
                    [](const Concern& concern) { return std::pair(concern.question, concern.cluster); });
  return concerns;
}

// The deletions whose `id` is `value`, among `deletions` that ascend by it.
std::span<const refine::Deletion> range_of(const std::vector<refine::Deletion>& deletions, QuestionId value,
                                           QuestionId refine::Deletion::*id) {
  return {std::ranges::lower_bound(deletions, value, {}, id),
          std::ranges::upper_bound(deletions, value, {}, id)};
}

}  // namespace

std::vector<ClusterUnit> units_of(std::span<const std::span<const QuestionId>> clusters,
                                  std::span<const refine::Deletion> open) {
  miner::SizeCappedUnionFind together(clusters.size(), std::max<std::size_t>(clusters.size(), 1));
  const std::vector<Concern> concerns = concerns_of(clusters, open);
  for (std::size_t i = 1; i < concerns.size(); ++i) {
    if (concerns[i].question == concerns[i - 1].question)
      together.join(concerns[i - 1].cluster, concerns[i].cluster);
  }
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> unit_of_root(clusters.size(), none);
  std::vector<ClusterUnit> units;
  for (std::uint32_t cluster = 0; cluster < clusters.size(); ++cluster) {
    std::size_t& unit = unit_of_root[together.find(cluster)];
    if (unit == none) {
      unit = units.size();
      units.emplace_back();
    }
    units[unit].push_back(cluster);
  }
  return units;
}

DeletionIndex::DeletionIndex(std::vector<refine::Deletion> by_question)
    : by_question_(std::move(by_question)), by_keeper_(by_question_) {
  std::ranges::stable_sort(by_keeper_, {}, &refine::Deletion::keeper);
}

std::span<const refine::Deletion> DeletionIndex::of_question(QuestionId question) const {
  return range_of(by_question_, question, &refine::Deletion::question);
}

std::span<const refine::Deletion> DeletionIndex::of_keeper(QuestionId keeper) const {
  return range_of(by_keeper_, keeper, &refine::Deletion::keeper);
}

}  // namespace qdedup::iteration
