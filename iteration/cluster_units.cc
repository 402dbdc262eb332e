#include "iteration/cluster_units.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/sort_unique.h"
#include "miner/id_numbers.h"
#include "miner/union_find.h"

namespace qdedup::iteration {
namespace {

// "Cluster `cluster` concerns `question`."
struct Concern {
  QuestionId question;
  std::size_t cluster;
};

// All ids that an open deletion or a pair to be decided anew names.
miner::IdNumbers ids_of_the_past(const ClusterList& clusters, const DeletionIndex& open) {
  miner::IdNumbers ids(2 * open.all().size());
  for (const refine::Deletion& deletion : open.all()) {
    ids.add({&deletion.question, 1});
    ids.add({&deletion.keeper, 1});
  }
  for (const std::vector<QuestionId>& cluster : clusters.others()) ids.add(cluster);
  ids.number_ids();
  return ids;
}

QuestionId stand_in(QuestionId id, const DeletionIndex& open) {
  const auto deletion = open.of_question(id);
  return deletion.empty() ? id : deletion.front().keeper;
}

// By question, then cluster. Only questions of the past can be shared.
std::vector<Concern> concerns_of(const ClusterList& clusters, const DeletionIndex& open) {
  const miner::IdNumbers past = ids_of_the_past(clusters, open);
  std::vector<Concern> concerns;
  std::vector<std::uint32_t> numbers;
  for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
    const std::span<const QuestionId> ids = clusters.ids(cluster);
    numbers.resize(ids.size());
    past.find(ids, numbers);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (numbers[i] != miner::IdNumbers::none) concerns.push_back({stand_in(ids[i], open), cluster});
    }
  }
  std::ranges::sort(concerns, {},
                    [](const Concern& concern) { return std::pair(concern.question, concern.cluster); });
  return concerns;
}

// The distinct clusters of `concerns`, ascending.
std::vector<std::size_t> concerned_clusters(const std::vector<Concern>& concerns) {
  std::vector<std::size_t> clusters(concerns.size());
  std::ranges::transform(concerns, clusters.begin(), &Concern::cluster);
  sort_unique(clusters);
  return clusters;
}

// The deletions whose `id` is `value`, among `deletions` that ascend by it.
std::span<const refine::Deletion> range_of(const std::vector<refine::Deletion>& deletions, QuestionId value,
                                           QuestionId refine::Deletion::*id) {
  return {std::ranges::lower_bound(deletions, value, {}, id),
          std::ranges::upper_bound(deletions, value, {}, id)};
}

}  // namespace

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

std::vector<ClusterUnit> concerned_units(const ClusterList& clusters, const DeletionIndex& open) {
  if (open.all().empty() && clusters.others().empty()) return {};
  const std::vector<Concern> concerns = concerns_of(clusters, open);
  const std::vector<std::size_t> concerned = concerned_clusters(concerns);
  const auto place_of = [&](std::size_t cluster) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(concerned, cluster) - concerned.begin());
  };
  miner::SizeCappedUnionFind together(concerned.size(), std::max<std::size_t>(concerned.size(), 1));
  for (std::size_t i = 1; i < concerns.size(); ++i) {
    if (concerns[i].question != concerns[i - 1].question) continue;
    together.join(place_of(concerns[i - 1].cluster), place_of(concerns[i].cluster));
  }
  std::vector<ClusterUnit> units;
  std::map<std::uint32_t, std::size_t> unit_of_root;
  for (std::uint32_t place = 0; place < concerned.size(); ++place) {
    const auto [unit, is_new] = unit_of_root.try_emplace(together.find(place), units.size());
    if (is_new) units.emplace_back();
    units[unit->second].push_back(concerned[place]);
  }
  return units;
}

}  // namespace qdedup::iteration
