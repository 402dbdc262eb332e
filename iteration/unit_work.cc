#include "iteration/unit_work.h"

#include <algorithm>
#include <cassert>

#include "base/sort_unique.h"

namespace qdedup::iteration {
namespace {

// Adds the open deletions of and in favour of the questions, and all questions that they name.
void add_deletions(const DeletionIndex& open, UnitWork& work) {
  std::vector<QuestionId> keepers = work.ids;
  for (const QuestionId id : work.ids) {
    for (const refine::Deletion& deletion : open.of_question(id)) keepers.push_back(deletion.keeper);
  }
  sort_unique(keepers);
  for (const QuestionId keeper : keepers) {
    const auto dependants = open.of_keeper(keeper);
    work.open.insert(work.open.end(), dependants.begin(), dependants.end());
    work.ids.push_back(keeper);
    for (const refine::Deletion& dependant : dependants) work.ids.push_back(dependant.question);
  }
  std::ranges::sort(work.open, {}, &refine::Deletion::question);
}

}  // namespace

std::size_t UnitWork::position(QuestionId id) const {
  const auto found = std::ranges::lower_bound(ids, id);
  assert(found != ids.end() && *found == id);
  return static_cast<std::size_t>(found - ids.begin());
}

UnitWork free_work(std::span<const QuestionId> ids) {
  UnitWork work;
  work.ids.assign(ids.begin(), ids.end());
  work.clusters.push_back(work.ids);
  work.questions.resize(ids.size());
  return work;
}

UnitWork concerned_work(const ClusterUnit& unit, const ClusterList& clusters, const DeletionIndex& open) {
  UnitWork work;
  for (const std::size_t cluster : unit) {
    const std::span<const QuestionId> ids = clusters.ids(cluster);
    work.clusters.emplace_back(ids.begin(), ids.end());
    work.ids.insert(work.ids.end(), ids.begin(), ids.end());
  }
  add_deletions(open, work);
  sort_unique(work.ids);
  work.questions.resize(work.ids.size());
  return work;
}

}  // namespace qdedup::iteration
