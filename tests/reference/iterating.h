#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "miner/seed_lists.h"
#include "refine/duplicate_settings.h"
#include "refine/keepers.h"
#include "tests/reference/classing.h"

namespace qdedup::reference {

// The slow twin of all iterations on end (doc/rules.md, 2 to 5) and of the decisions in between, on whole
// texts: no store, no fingerprints, no hashes, no threads, and all clusters at once.
class Iterations {
 public:
  using Bank = std::map<QuestionId, std::string>;

  struct Result {
    std::vector<refine::Deletion> listed;  // by question
    std::size_t withdrawn = 0;
    std::uint64_t missing = 0;
    std::map<QuestionId, QuestionId> open;  // afterwards: question -> keeper
    bool is_iteration = true;               // else nothing changed, and none is stored
  };

  // All that was ever listed.
  struct Listed {
    QuestionId question;
    QuestionId keeper;
    std::string status;
    std::string question_text;
    std::string keep_text;
  };

  Iterations(std::size_t max_cluster_size, const refine::DuplicateSettings& rule)
      : max_cluster_size_(max_cluster_size), rule_(rule) {}

  // One iteration over `lists`, with the texts as they are now.
  Result iterate(const Bank& bank, const std::vector<miner::SeedList>& lists);

  // One over the whole bank, as one cluster.
  Result sweep(const Bank& bank);

  // "approve", "reject", "reset" or "apply" on the newest deletion of a pair; whether that is allowed.
  bool decide(const Bank& bank, QuestionId question, QuestionId keeper, const std::string& decision);

  // Withdraws what was approved and does not hold any more.
  void recheck(const Bank& bank);

  // In the order in which they were listed.
  [[nodiscard]] const std::vector<Listed>& all() const { return listed_; }

  // Question -> representative.
  [[nodiscard]] std::map<QuestionId, QuestionId> representatives() const {
    return classes_.representatives();
  }

 private:
  using ToDecide = std::map<QuestionId, std::vector<QuestionId>>;  // keeper -> questions

  refine::KeeperChoice decide_clusters(const Bank& bank, const std::vector<std::vector<QuestionId>>& clusters,
                                       Result& result);
  void lose_pairs(const Bank& bank);
  void end(const Bank& bank, const refine::KeeperChoice& choice, Result& result);
  void settle_classes();
  std::size_t withdraw_outdated(const Bank& bank, ToDecide& to_decide);
  [[nodiscard]] bool may_open(const Listed& rejected) const;
  [[nodiscard]] bool was_rejected(const Bank& bank, QuestionId question, QuestionId keeper) const;

  std::size_t max_cluster_size_;
  refine::DuplicateSettings rule_;
  std::vector<Listed> listed_;
  std::vector<std::pair<QuestionId, QuestionId>> reopened_;  // question, keeper
  std::vector<Listed> further_;                              // verified pairs beside those that are listed
  std::int64_t iteration_ = 0;
  std::set<QuestionId> unsettled_;  // whose pairs changed
  Classes classes_;
};

}  // namespace qdedup::reference
