#include "tests/reference/iterating.h"

#include <algorithm>
#include <set>

#include "tests/reference/keeping.h"
#include "tests/reference/merging.h"
#include "tests/reference/normalising.h"
#include "tests/reference/splitting.h"
#include "tests/reference/text_distance.h"

namespace qdedup::reference {

bool are_duplicates(const std::string& a, const std::string& b, int min_similarity) {
  const SplitText first = split(normalise(a));
  const SplitText second = split(normalise(b));
  if (first.signs != second.signs) return false;
  const std::size_t length = std::max(first.han.size(), second.han.size());
  const std::size_t distance = levenshtein_distance(first.han, second.han);
  return (length - distance) * 100 >= static_cast<std::size_t>(min_similarity) * length;
}

Iterations::Result Iterations::iterate(const std::map<QuestionId, std::string>& bank,
                                       const std::vector<miner::SeedList>& lists) {
  Result result;
  std::map<QuestionId, std::set<QuestionId>> to_decide;  // by keeper
  for (const auto& [question, deletion] : std::map(open_)) {
    const bool keeper_gone = !bank.contains(deletion.keeper);
    const bool keeper_changed = !keeper_gone && bank.at(deletion.keeper) != deletion.keep_text;
    const bool question_changed = bank.contains(question) && bank.at(question) != deletion.question_text;
    if (!keeper_gone && !keeper_changed && !question_changed) continue;
    if (!keeper_gone) to_decide[deletion.keeper].insert({deletion.keeper, question});
    result.withdrawn.push_back(question);
    open_.erase(question);
  }

  std::vector<std::vector<QuestionId>> clusters;
  for (const auto& cluster : merge(lists, max_cluster_size_).clusters)
    clusters.emplace_back(cluster.begin(), cluster.end());
  for (const auto& [keeper, cluster] : to_decide) clusters.emplace_back(cluster.begin(), cluster.end());

  std::vector<refine::Deletion> open;
  for (const auto& [question, deletion] : open_) open.push_back({question, deletion.keeper});
  const auto has_text = [&](QuestionId id) { return bank.contains(id) && !bank.at(id).empty(); };
  const refine::KeeperChoice choice = reference::choose_keepers(
      clusters, open,
      {has_text,
       [&](QuestionId a, QuestionId b) {
         return has_text(a) && has_text(b) && are_duplicates(bank.at(a), bank.at(b), min_similarity_);
       },
       [](QuestionId, QuestionId) { return false; }});

  for (const auto* changes : {&choice.repointed, &choice.deletions}) {
    for (const refine::Deletion& change : *changes) {
      open_[change.question] = {change.keeper, bank.at(change.question), bank.at(change.keeper)};
    }
  }
  result.listed = choice.deletions;
  for (const auto& [question, deletion] : open_) result.open[question] = deletion.keeper;
  return result;
}

}  // namespace qdedup::reference
