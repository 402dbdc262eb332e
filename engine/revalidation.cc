#include "engine/revalidation.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/containers.h"

namespace qdedup::engine {
namespace {

using refine::Standing;

class Revalidation {
 public:
  explicit Revalidation(const PresentText& present) : present_(present) {}

  Result<Revalidated> run(const ListedPairs& listed) {
    std::vector<refine::Deletion> open;
    QDEDUP_TRY(sort_out(listed.open, [&](const ListedPair& pair) {
      open.push_back({pair.question, pair.keeper});
    }));
    result_.past.open = DeletionIndex(std::move(open));
    std::vector<ListedPair>& rejected = result_.past.rejected;
    QDEDUP_TRY(sort_out(listed.rejected, [&](const ListedPair& pair) { rejected.push_back(pair); }));
    std::ranges::stable_sort(rejected, {},
                             [](const ListedPair& pair) { return std::pair(pair.question, pair.keeper); });
    for (const refine::Deletion& pair : listed.reopened) reopened_[pair.keeper].push_back(pair.question);
    QDEDUP_TRY(reopen());
    QDEDUP_TRY(look_at(listed.verified));
    return std::move(result_);
  }

 private:
  Result<Standing> standing_of(const ListedPair& pair) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> question, present_(pair.question));
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> keeper, present_(pair.keeper));
    return refine::standing_of(pair.compared, pair.outlives_keeper, question, keeper);
  }

  // Withdraws what no longer holds, and passes the rest to `keep`.
  template <class Keep>
  Status sort_out(const std::vector<ListedPair>& pairs, const Keep& keep) {
    for (const ListedPair& pair : pairs) {
      QDEDUP_ASSIGN_OR_RETURN(const Standing standing, standing_of(pair));
      if (standing == Standing::holds) {
        keep(pair);
        continue;
      }
      result_.withdrawn.push_back({pair.deletion_id, std::string(name(standing))});
      if (standing == Standing::text_changed) reopened_[pair.keeper].push_back(pair.question);
    }
    return {};
  }

  // A question that left the bank, as one that was carried out did, has nothing to be decided.
  Status reopen() {
    for (auto& [keeper, questions] : reopened_) {
      questions.push_back(keeper);
      sort_unique(questions);
      std::vector<QuestionId> cluster;
      for (const QuestionId id : questions) {
        QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> text, present_(id));
        if (text) cluster.push_back(id);
      }
      if (cluster.size() > 1) result_.past.reopened.push_back(std::move(cluster));
    }
    std::ranges::sort(result_.past.reopened);
    return {};
  }

  Status look_at(const std::vector<ListedPair>& verified) {
    for (const ListedPair& pair : verified) {
      QDEDUP_ASSIGN_OR_RETURN(const Standing standing, standing_of(pair));
      if (standing != Standing::holds) {
        result_.lost.push_back({pair.question, pair.keeper, std::string(name(standing))});
      } else if (result_.past.open.of_question(pair.question).empty()) {
        QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> question, present_(pair.question));
        if (!question)
          result_.lost.push_back({pair.question, pair.keeper, std::string(refine::question_gone)});
      }
    }
    return {};
  }

  const PresentText& present_;
  Revalidated result_;
  std::map<QuestionId, std::vector<QuestionId>> reopened_;  // by keeper
};

}  // namespace

std::vector<QuestionId> ListedPairs::ids() const {
  std::vector<QuestionId> ids;
  for (const auto list : {&ListedPairs::open, &ListedPairs::rejected, &ListedPairs::verified}) {
    for (const ListedPair& pair : this->*list) ids.insert(ids.end(), {pair.question, pair.keeper});
  }
  for (const refine::Deletion& pair : reopened) ids.insert(ids.end(), {pair.question, pair.keeper});
  sort_unique(ids);
  return ids;
}

Result<Revalidated> revalidate(const ListedPairs& listed, const PresentText& present) {
  return Revalidation(present).run(listed);
}

}  // namespace qdedup::engine
