#include "engine/components.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>

#include "base/containers.h"
#include "miner/id_numbers.h"
#include "miner/union_find.h"

namespace qdedup::engine {
namespace {

// A question of the past, and a cluster that it is in, or one that it stands in for.
using Concern = std::pair<QuestionId, std::size_t>;

// All ids that an open deletion or a reopened cluster names.
miner::IdNumbers ids_of_the_past(const ClusterList& clusters, const DeletionIndex& open) {
  miner::IdNumbers ids({.added = 2 * open.all().size()});
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

// Sorted by question, then cluster. Only questions of the past can be shared.
std::vector<Concern> concerns_of(const ClusterList& clusters, const DeletionIndex& open) {
  const miner::IdNumbers past = ids_of_the_past(clusters, open);
  std::vector<Concern> concerns;
  std::vector<std::uint32_t> numbers;
  for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
    const std::span<const QuestionId> ids = clusters.ids(cluster);
    numbers.resize(ids.size());
    past.find(ids, numbers);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (numbers[i] != miner::IdNumbers::none) concerns.emplace_back(stand_in(ids[i], open), cluster);
    }
  }
  std::ranges::sort(concerns);
  return concerns;
}

// The distinct clusters of `concerns`, ascending.
std::vector<std::size_t> dependent_clusters(const std::vector<Concern>& concerns) {
  std::vector<std::size_t> clusters(concerns.size());
  std::ranges::transform(concerns, clusters.begin(), &Concern::second);
  sort_unique(clusters);
  return clusters;
}

// Adds the open deletions that list or keep these questions, and all questions that they name.
void add_deletions(const DeletionIndex& open, Component& component) {
  std::vector<QuestionId> keepers = component.ids;
  for (const QuestionId id : component.ids) {
    for (const refine::Deletion& deletion : open.of_question(id)) keepers.push_back(deletion.keeper);
  }
  sort_unique(keepers);
  for (const QuestionId keeper : keepers) {
    const auto dependants = open.of_keeper(keeper);
    component.open.insert(component.open.end(), dependants.begin(), dependants.end());
    component.ids.push_back(keeper);
    for (const refine::Deletion& dependant : dependants) component.ids.push_back(dependant.question);
  }
  std::ranges::sort(component.open, {}, &refine::Deletion::question);
}

}  // namespace

std::vector<ClusterComponent> dependent_components(const ClusterList& clusters, const DeletionIndex& open) {
  if (open.all().empty() && clusters.others().empty()) return {};
  const std::vector<Concern> concerns = concerns_of(clusters, open);
  std::vector<std::pair<std::size_t, std::size_t>> shared;
  for (std::size_t i = 1; i < concerns.size(); ++i) {
    const auto& [question, cluster] = concerns[i];
    if (question == concerns[i - 1].first) shared.emplace_back(concerns[i - 1].second, cluster);
  }
  return miner::connected_sets(dependent_clusters(concerns), shared);
}

std::size_t Component::position(QuestionId id) const {
  const auto found = std::ranges::lower_bound(ids, id);
  assert(found != ids.end() && *found == id);
  return static_cast<std::size_t>(found - ids.begin());
}

Component independent_component(std::span<const QuestionId> ids) {
  Component component;
  component.ids.assign(ids.begin(), ids.end());
  component.clusters.push_back(component.ids);
  component.questions.resize(ids.size());
  return component;
}

Component dependent_component(const ClusterComponent& numbers, const ClusterList& clusters,
                              const DeletionIndex& open) {
  Component component;
  for (const std::size_t cluster : numbers) {
    const std::span<const QuestionId> ids = clusters.ids(cluster);
    component.clusters.emplace_back(ids.begin(), ids.end());
    component.ids.insert(component.ids.end(), ids.begin(), ids.end());
  }
  add_deletions(open, component);
  sort_unique(component.ids);
  component.questions.resize(component.ids.size());
  return component;
}

}  // namespace qdedup::engine
