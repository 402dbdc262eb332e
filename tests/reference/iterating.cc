#include "tests/reference/iterating.h"

#include <algorithm>
#include <set>

#include "tests/reference/duplicates.h"
#include "tests/reference/keeping.h"
#include "tests/reference/merging.h"

namespace qdedup::reference {
namespace {

using Listed = Iterations::Listed;
using Bank = Iterations::Bank;

bool is_open(const Listed& deletion) {
  return deletion.status == "pending" || deletion.status == "approved" || deletion.status == "applied";
}

bool is_changed(const Bank& bank, QuestionId id, const std::string& text) {
  return bank.contains(id) && bank.at(id) != text;
}

bool lost_its_keeper(const Bank& bank, const Listed& deletion) {
  if (bank.contains(deletion.keeper)) return false;
  const bool outlives_it = deletion.status == "applied" || deletion.status == "rejected";
  return !outlives_it || is_changed(bank, deletion.question, deletion.question_text);
}

bool has_other_texts(const Bank& bank, const Listed& deletion) {
  return is_changed(bank, deletion.question, deletion.question_text) ||
         is_changed(bank, deletion.keeper, deletion.keep_text);
}

// The status that a decision leads to; empty where it is refused.
std::string led_to(const std::string& decision, const std::string& status) {
  if (status == "withdrawn") return "";
  if (decision == "approve") return status == "pending" ? "approved" : status == "rejected" ? "" : status;
  if (decision == "reject") return status == "applied" ? "" : "rejected";
  if (decision == "reset") return "pending";
  return status == "approved" || status == "applied" ? "applied" : "";
}

}  // namespace

std::size_t Iterations::withdraw_outdated(const Bank& bank, ToDecide& to_decide) {
  std::size_t withdrawn = 0;
  for (Listed& deletion : listed_) {
    if (deletion.status == "withdrawn") continue;
    const bool keeper_gone = lost_its_keeper(bank, deletion);
    if (!keeper_gone && !has_other_texts(bank, deletion)) continue;
    if (!keeper_gone) to_decide[deletion.keeper].push_back(deletion.question);
    deletion.status = "withdrawn";
    unsettled_.insert(deletion.question);
    ++withdrawn;
  }
  lose_pairs(bank);
  for (const auto& [question, keeper] : reopened_) to_decide[keeper].push_back(question);
  reopened_.clear();
  return withdrawn;
}

bool Iterations::was_rejected(const Bank& bank, QuestionId question, QuestionId keeper) const {
  return std::ranges::any_of(listed_, [&](const Listed& deletion) {
    return deletion.status == "rejected" && deletion.question == question && deletion.keeper == keeper &&
           deletion.question_text == bank.at(question) && deletion.keep_text == bank.at(keeper);
  });
}

Iterations::Result Iterations::iterate(const Bank& bank, const std::vector<miner::SeedList>& lists) {
  Result result;
  ToDecide to_decide;
  result.withdrawn = withdraw_outdated(bank, to_decide);

  std::vector<std::vector<QuestionId>> clusters;
  for (const auto& cluster : merge(lists, max_cluster_size_).clusters)
    clusters.emplace_back(cluster.begin(), cluster.end());
  for (const auto& [keeper, questions] : to_decide) {
    std::set<QuestionId> cluster(questions.begin(), questions.end());
    cluster.insert(keeper);
    std::erase_if(cluster, [&](QuestionId id) { return !bank.contains(id); });
    if (cluster.size() < 2) continue;
    clusters.emplace_back(cluster.begin(), cluster.end());
  }
  end(bank, decide_clusters(bank, clusters, result), result);
  return result;
}

Iterations::Result Iterations::sweep(const Bank& bank) {
  Result result;
  ToDecide decided_with_the_rest;
  const bool any_reopened = !reopened_.empty();
  result.withdrawn = withdraw_outdated(bank, decided_with_the_rest);
  std::vector<QuestionId> all;
  for (const auto& [id, text] : bank) all.push_back(id);
  const refine::KeeperChoice choice = decide_clusters(bank, {all}, result);
  result.is_iteration =
      any_reopened || result.withdrawn > 0 || !choice.deletions.empty() || !choice.repointed.empty();
  end(bank, choice, result);
  return result;
}

// A pair of a question that left the bank holds while the question has an open deletion.
void Iterations::lose_pairs(const Bank& bank) {
  std::erase_if(further_, [&](const Listed& pair) {
    const bool is_listed = std::ranges::any_of(listed_, [&](const Listed& deletion) {
      return is_open(deletion) && deletion.question == pair.question;
    });
    const bool holds = bank.contains(pair.keeper) && !has_other_texts(bank, pair) &&
                       (is_listed || bank.contains(pair.question));
    if (!holds) unsettled_.insert(pair.question);
    return !holds;
  });
}

// Takes the further pairs of an iteration and settles the classes.
void Iterations::end(const Bank& bank, const refine::KeeperChoice& choice, Result& result) {
  if (result.is_iteration) ++iteration_;
  for (const refine::Deletion& pair : choice.further) {
    std::erase_if(further_, [&](const Listed& before) {
      return before.question == pair.question && before.keeper == pair.keeper;
    });
    further_.push_back({pair.question, pair.keeper, "", bank.at(pair.question), bank.at(pair.keeper)});
  }
  std::erase_if(further_, [&](const Listed& pair) {
    return result.open.contains(pair.question) && result.open.at(pair.question) == pair.keeper;
  });
  for (const refine::Deletion& deletion : choice.deletions) unsettled_.insert(deletion.question);
  for (const refine::Deletion& deletion : choice.repointed) unsettled_.insert(deletion.question);
  settle_classes();
}

void Iterations::settle_classes() {
  Classes::Pairs pairs;
  for (const Listed& deletion : listed_) {
    if (is_open(deletion)) pairs[deletion.question].insert(deletion.keeper);
  }
  for (const Listed& pair : further_) pairs[pair.question].insert(pair.keeper);
  classes_.settle(unsettled_, pairs, iteration_);
  unsettled_.clear();
}

refine::KeeperChoice Iterations::decide_clusters(const Bank& bank,
                                                 const std::vector<std::vector<QuestionId>>& clusters,
                                                 Result& result) {
  std::vector<refine::Deletion> open;
  for (const Listed& deletion : listed_) {
    if (is_open(deletion)) open.push_back({deletion.question, deletion.keeper});
  }
  const auto has_text = [&](QuestionId id) { return bank.contains(id) && !bank.at(id).empty(); };
  const refine::KeeperChoice choice = reference::choose_keepers(
      clusters, open,
      {has_text,
       [&](QuestionId a, QuestionId b) {
         return has_text(a) && has_text(b) && are_duplicates(bank.at(a), bank.at(b), rule_);
       },
       [&](QuestionId question, QuestionId keeper) { return was_rejected(bank, question, keeper); }});

  for (const refine::Deletion& change : choice.repointed) {
    for (Listed& deletion : listed_) {
      if (!is_open(deletion) || deletion.question != change.question) continue;
      const std::string status = deletion.status == "approved" ? "pending" : deletion.status;
      deletion = {change.question, change.keeper, status, bank.at(change.question), bank.at(change.keeper)};
    }
  }
  for (const refine::Deletion& deletion : choice.deletions) {
    listed_.push_back({deletion.question, deletion.keeper, "pending", bank.at(deletion.question),
                       bank.at(deletion.keeper)});
  }
  result.listed = choice.deletions;
  result.missing = choice.missing;
  for (const Listed& deletion : listed_) {
    if (is_open(deletion)) result.open[deletion.question] = deletion.keeper;
  }
  return choice;
}

// Open again, it must not be the second deletion of its question, nor make a chain with any other.
bool Iterations::may_open(const Listed& rejected) const {
  return std::ranges::none_of(listed_, [&](const Listed& other) {
    return is_open(other) && (other.question == rejected.question || other.question == rejected.keeper ||
                              other.keeper == rejected.question);
  });
}

bool Iterations::decide(const Bank& bank, QuestionId question, QuestionId keeper,
                        const std::string& decision) {
  const auto found = std::find_if(listed_.rbegin(), listed_.rend(), [&](const Listed& deletion) {
    return deletion.question == question && deletion.keeper == keeper;
  });
  if (found == listed_.rend()) return false;
  Listed decided = *found;
  decided.status = led_to(decision, found->status);
  if (decided.status.empty()) return false;
  const bool keeper_gone = lost_its_keeper(bank, decided);
  if (keeper_gone ? decision != "reset" : has_other_texts(bank, decided)) return false;
  if (found->status == "rejected" && decided.status == "pending" && !may_open(*found)) return false;
  found->status = decided.status;
  unsettled_.insert(question);
  settle_classes();
  return true;
}

void Iterations::recheck(const Bank& bank) {
  for (Listed& deletion : listed_) {
    if (deletion.status != "approved") continue;
    const bool keeper_gone = lost_its_keeper(bank, deletion);
    if (!keeper_gone && !has_other_texts(bank, deletion)) continue;
    if (!keeper_gone) reopened_.emplace_back(deletion.question, deletion.keeper);
    deletion.status = "withdrawn";
    unsettled_.insert(deletion.question);
  }
  settle_classes();
}

}  // namespace qdedup::reference
