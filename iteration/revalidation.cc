#include "iteration/revalidation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/sort_unique.h"
#include "db/deletions.h"

namespace qdedup::iteration {
namespace {

// Calls take(row, standing) for each row, until it fails.
template <class Take>
Status for_each_standing(Result<db::DeletionCursor> rows, db::Bank& bank, const Take& take) {
  if (!rows.ok()) return std::move(rows).error();
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, rows->next());
    if (!row) return {};
    bank.report_activity();  // its statements are too short to report any
    QDEDUP_ASSIGN_OR_RETURN(const db::Standing standing, db::standing_of(*row, bank));
    QDEDUP_TRY(take(*row, standing));
  }
}

std::string reason_of(db::Standing standing) {
  return standing == db::Standing::keeper_gone ? "keeper-gone" : "text-changed";
}

}  // namespace

Result<Revalidated> revalidate_deletions(db::Deletions& deletions, db::Bank& bank) {
  Revalidated result;
  std::map<QuestionId, std::vector<QuestionId>> reopened;  // by keeper
  const auto withdraw = [&](const db::DeletionRow& row, db::Standing standing) {
    result.withdrawn.push_back({row.id, reason_of(standing)});
    if (standing == db::Standing::text_changed) reopened[row.keeper].push_back(row.question);
  };

  std::vector<refine::Deletion> open;
  QDEDUP_TRY(for_each_standing(deletions.open(), bank, [&](const auto& row, db::Standing standing) -> Status {
    if (standing != db::Standing::holds)
      withdraw(row, standing);
    else
      open.push_back({row.question, row.keeper});
    return {};
  }));
  result.past.open = engine::DeletionIndex(std::move(open));

  std::vector<engine::RejectedPair>& rejected = result.past.rejected;
  QDEDUP_TRY(
      for_each_standing(deletions.rejected(), bank, [&](const auto& row, db::Standing standing) -> Status {
        if (standing != db::Standing::holds)
          withdraw(row, standing);
        else
          rejected.push_back({row.question, row.keeper, row.question_hash, row.keep_hash});
        return {};
      }));
  std::ranges::stable_sort(
      rejected, {}, [](const engine::RejectedPair& pair) { return std::tuple(pair.question, pair.keeper); });

  QDEDUP_ASSIGN_OR_RETURN(const db::ReopenedPairs withdrawn_before, deletions.reopened());
  result.last_reopened_id = withdrawn_before.last_id;
  for (const db::ReopenedPair& pair : withdrawn_before.pairs) reopened[pair.keeper].push_back(pair.question);
  for (auto& [keeper, questions] : reopened) {
    questions.push_back(keeper);
    sort_unique(questions);
    result.past.reopened.push_back(std::move(questions));
  }
  return result;
}

Result<std::vector<db::LostPair>> find_stale_pairs(db::Store& store, db::Bank& bank,
                                                   const engine::DeletionIndex& open) {
  std::vector<db::LostPair> stale;
  const auto look_at = [&](const db::DeletionRow& pair, db::Standing standing) -> Status {
    if (standing != db::Standing::holds) {
      stale.push_back({pair.question, pair.keeper, reason_of(standing)});
    } else if (open.of_question(pair.question).empty()) {
      QDEDUP_ASSIGN_OR_RETURN(const auto question, bank.find(pair.question));
      if (!question) stale.push_back({pair.question, pair.keeper, "question-gone"});
    }
    return {};
  };
  QDEDUP_TRY(for_each_standing(db::VerifiedPairs(store).all(), bank, look_at));
  return stale;
}

}  // namespace qdedup::iteration
