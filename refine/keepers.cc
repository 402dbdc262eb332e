#include "refine/keepers.h"

#include <unordered_map>
#include <unordered_set>

#include "base/containers.h"

namespace qdedup::refine {
namespace {

// The open deletions, while clusters are taken one after another. No keeper is deleted itself.
class OpenDeletions {
 public:
  explicit OpenDeletions(std::span<const Deletion> open) {
    for (const Deletion& deletion : open) {
      original_keeper_[deletion.question] = deletion.keeper;
      add(deletion);
    }
  }

  // The question that stays in place of `id`: itself if it has no open deletion.
  [[nodiscard]] QuestionId stand_in(QuestionId id) const {
    const auto found = keeper_.find(id);
    return found == keeper_.end() ? id : found->second;
  }

  // The questions that are deleted in favour of `keeper`.
  [[nodiscard]] std::vector<QuestionId> dependants(QuestionId keeper) const {
    const auto found = dependants_.find(keeper);
    return found == dependants_.end() ? std::vector<QuestionId>() : found->second;
  }

  // Opens a deletion; the dependants of its question go to the new keeper.
  void open(const Deletion& deletion) {
    for (const QuestionId dependant : dependants(deletion.question)) add({dependant, deletion.keeper});
    dependants_.erase(deletion.question);
    add(deletion);
  }

  // Adds what has changed.
  void report_changes(KeeperChoice& choice) const {
    for (const auto& [question, keeper] : keeper_) {
      const auto original = original_keeper_.find(question);
      if (original == original_keeper_.end()) {
        choice.deletions.push_back({question, keeper});
      } else if (original->second != keeper) {
        choice.repointed.push_back({question, keeper});
      }
    }
  }

 private:
  void add(const Deletion& deletion) {
    keeper_[deletion.question] = deletion.keeper;
    dependants_[deletion.keeper].push_back(deletion.question);
  }

  std::unordered_map<QuestionId, QuestionId> original_keeper_;
  std::unordered_map<QuestionId, QuestionId> keeper_;
  std::unordered_map<QuestionId, std::vector<QuestionId>> dependants_;
};

class KeptList final : public KeptQuestions {
 public:
  explicit KeptList(const KeeperOracle& oracle) : oracle_(oracle) {}

  void keep(QuestionId id) override { ids_.push_back(id); }

  std::optional<QuestionId> find(QuestionId id, const std::function<bool(QuestionId)>& allowed) override {
    const auto found = std::ranges::find_if(
        ids_, [&](QuestionId keeper) { return oracle_.duplicates(id, keeper) && allowed(keeper); });
    return found == ids_.end() ? std::nullopt : std::optional(*found);
  }

  std::vector<QuestionId> find_beyond(QuestionId id, QuestionId keeper,
                                      const std::function<bool(QuestionId)>& allowed) override {
    std::vector<QuestionId> found;
    std::copy_if(std::ranges::upper_bound(ids_, keeper), ids_.end(), std::back_inserter(found),
                 [&](QuestionId other) { return oracle_.duplicates(id, other) && allowed(other); });
    return found;
  }

 private:
  const KeeperOracle& oracle_;
  std::vector<QuestionId> ids_;
};

class Chooser {
 public:
  Chooser(std::span<const Deletion> open, const KeeperOracle& oracle) : open_(open), oracle_(oracle) {}

  void take(std::vector<QuestionId> cluster, KeptQuestions& kept) {
    for (const QuestionId id : participants(std::move(cluster))) {
      const auto allowed = [&](QuestionId candidate) { return !oracle_.rejected(id, candidate); };
      const std::optional<QuestionId> keeper = kept.find(id, allowed);
      if (!keeper || !delete_in_favour_of(*keeper, id)) {
        kept.keep(id);
        continue;
      }
      for (const QuestionId other : kept.find_beyond(id, *keeper, allowed)) further_.push_back({id, other});
    }
  }

  [[nodiscard]] KeeperChoice choice() const {
    KeeperChoice choice;
    open_.report_changes(choice);
    std::ranges::copy_if(further_, std::back_inserter(choice.further), [this](const Deletion& pair) {
      return open_.stand_in(pair.keeper) == pair.keeper && open_.stand_in(pair.question) != pair.keeper;
    });
    choice.sort();
    choice.missing = missing_.size();
    choice.held = held_.size();
    return choice;
  }

 private:
  // The distinct ids of a cluster that have a text, stand-ins in place, smallest first.
  std::vector<QuestionId> participants(std::vector<QuestionId> ids) {
    for (QuestionId& id : ids) id = open_.stand_in(id);
    sort_unique(ids);
    std::erase_if(ids, [this](QuestionId id) { return is_missing(id); });
    return ids;
  }

  bool is_missing(QuestionId id) {
    if (oracle_.in_bank(id)) return false;
    missing_.insert(id);
    return true;
  }

  [[nodiscard]] bool may_replace(QuestionId keeper, QuestionId id) const {
    return oracle_.duplicates(id, keeper) && !oracle_.rejected(id, keeper);
  }

  // False, and nothing changes, where the dependants of `id` do not allow it.
  bool delete_in_favour_of(QuestionId keeper, QuestionId id) {
    const auto may_follow = [&](QuestionId dependant) {
      return oracle_.in_bank(dependant) && may_replace(keeper, dependant);
    };
    if (!std::ranges::all_of(open_.dependants(id), may_follow)) {
      held_.insert(id);
      return false;
    }
    held_.erase(id);
    open_.open({.question = id, .keeper = keeper});
    return true;
  }

  OpenDeletions open_;
  const KeeperOracle& oracle_;
  std::vector<Deletion> further_;
  std::unordered_set<QuestionId> missing_;
  std::unordered_set<QuestionId> held_;
};

}  // namespace

KeeperChoice choose_keepers(std::span<const std::vector<QuestionId>> clusters, std::span<const Deletion> open,
                            const KeeperOracle& oracle) {
  Chooser chooser(open, oracle);
  for (const std::vector<QuestionId>& cluster : clusters) {
    KeptList kept(oracle);
    chooser.take(cluster, kept);
  }
  return chooser.choice();
}

KeeperChoice choose_keepers(std::vector<QuestionId> cluster, std::span<const Deletion> open,
                            const KeeperOracle& oracle, KeptQuestions& kept) {
  Chooser chooser(open, oracle);
  chooser.take(std::move(cluster), kept);
  return chooser.choice();
}

}  // namespace qdedup::refine
