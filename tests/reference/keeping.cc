#include "tests/reference/keeping.h"

#include <map>
#include <set>
#include <utility>

namespace qdedup::reference {
namespace {

using refine::KeeperChoice;
using refine::KeeperOracle;

using KeeperByQuestion = std::map<QuestionId, QuestionId>;

struct State {
  KeeperByQuestion keepers;
  std::set<QuestionId> missing;
  std::set<QuestionId> held;
  std::set<std::pair<QuestionId, QuestionId>>
      alike;  // listed questions with all kept ones that they duplicate
};

std::set<QuestionId> with_stand_ins(const std::vector<QuestionId>& cluster, const KeeperByQuestion& keepers) {
  std::set<QuestionId> ids;
  for (const QuestionId id : cluster) ids.insert(keepers.contains(id) ? keepers.at(id) : id);
  return ids;
}

bool all_dependants_may_follow(QuestionId id, QuestionId keeper, const KeeperByQuestion& keepers,
                               const KeeperOracle& oracle) {
  for (const auto& [question, its_keeper] : keepers) {
    if (its_keeper != id) continue;
    if (!oracle.in_bank(question) || !oracle.duplicates(question, keeper)) return false;
    if (oracle.rejected(question, keeper)) return false;
  }
  return true;
}

void delete_question(QuestionId id, QuestionId keeper, KeeperByQuestion& keepers) {
  for (auto& [question, its_keeper] : keepers) {
    if (its_keeper == id) its_keeper = keeper;
  }
  keepers[id] = keeper;
}

// 0 where there is none.
QuestionId smallest_keeper(QuestionId id, const std::set<QuestionId>& kept, const KeeperOracle& oracle) {
  for (const QuestionId keeper : kept) {
    if (oracle.duplicates(id, keeper) && !oracle.rejected(id, keeper)) return keeper;
  }
  return 0;
}

void take_cluster(const std::vector<QuestionId>& cluster, State& state, const KeeperOracle& oracle) {
  std::set<QuestionId> kept;
  for (const QuestionId id : with_stand_ins(cluster, state.keepers)) {
    if (!oracle.in_bank(id)) {
      state.missing.insert(id);
      continue;
    }
    const QuestionId keeper = smallest_keeper(id, kept, oracle);
    if (keeper == 0) {
      kept.insert(id);
    } else if (!all_dependants_may_follow(id, keeper, state.keepers, oracle)) {
      state.held.insert(id);
      kept.insert(id);
    } else {
      state.held.erase(id);
      for (const QuestionId other : kept) {
        if (oracle.duplicates(id, other) && !oracle.rejected(id, other)) state.alike.insert({id, other});
      }
      delete_question(id, keeper, state.keepers);
    }
  }
}

}  // namespace

KeeperChoice choose_keepers(std::span<const std::vector<QuestionId>> clusters,
                            std::span<const refine::Deletion> open, const KeeperOracle& oracle) {
  KeeperByQuestion before;
  for (const auto& [question, keeper] : open) before[question] = keeper;
  State state{.keepers = before, .missing = {}, .held = {}, .alike = {}};
  for (const std::vector<QuestionId>& cluster : clusters) take_cluster(cluster, state, oracle);

  KeeperChoice choice{.deletions = {},
                      .repointed = {},
                      .further = {},
                      .missing = state.missing.size(),
                      .held = state.held.size()};
  for (const auto& [question, keeper] : state.keepers) {
    if (!before.contains(question)) {
      choice.deletions.push_back({question, keeper});
    } else if (before[question] != keeper) {
      choice.repointed.push_back({question, keeper});
    }
  }
  for (const auto& [question, other] : state.alike) {
    if (!state.keepers.contains(other) && state.keepers.at(question) != other) {
      choice.further.push_back({question, other});
    }
  }
  return choice;
}

}  // namespace qdedup::reference
