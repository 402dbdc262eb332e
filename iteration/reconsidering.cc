#include "iteration/reconsidering.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "base/sort_unique.h"
#include "db/standing.h"

namespace qdedup::iteration {
namespace {

// Questions to be compared with a keeper again, by keeper.
using Reopened = std::map<QuestionId, std::vector<QuestionId>>;

Status reconsider_open(db::Deletions& deletions, db::Bank& bank, Reconsidered& result, Reopened& reopened) {
  Result<db::DeletionCursor> rows = deletions.open();
  if (!rows.ok()) return std::move(rows).error();
  while (true) {
    const Result<std::optional<db::DeletionRow>> next = rows->next();
    if (!next.ok()) return next.error();
    if (!next->has_value()) return {};
    const db::DeletionRow& row = **next;
    const Result<db::Standing> standing = db::standing_of(row, bank);
    if (!standing.ok()) return standing.error();
    if (*standing == db::Standing::holds) {
      result.open.push_back({row.question, row.keeper});
    } else if (*standing == db::Standing::keeper_gone) {
      result.withdrawn.push_back({row.id, "keeper-gone"});
    } else {
      result.withdrawn.push_back({row.id, "text-changed"});
      reopened[row.keeper].push_back(row.question);
    }
  }
}

Status reconsider_rejected(db::Deletions& deletions, db::Bank& bank, Reconsidered& result,
                           Reopened& reopened) {
  Result<db::DeletionCursor> rows = deletions.rejected();
  if (!rows.ok()) return std::move(rows).error();
  while (true) {
    const Result<std::optional<db::DeletionRow>> next = rows->next();
    if (!next.ok()) return next.error();
    if (!next->has_value()) break;
    const db::DeletionRow& row = **next;
    const Result<db::Standing> standing = db::standing_of(row, bank);
    if (!standing.ok()) return standing.error();
    if (*standing == db::Standing::keeper_gone) {
      result.withdrawn.push_back({row.id, "keeper-gone"});
    } else if (*standing == db::Standing::text_changed) {
      result.withdrawn.push_back({row.id, "text-changed"});
      reopened[row.keeper].push_back(row.question);
    } else {
      result.rejected.push_back({row.question, row.keeper, row.question_hash, row.keep_hash});
    }
  }
  std::ranges::stable_sort(result.rejected, {},
                           [](const RejectedPair& pair) { return std::tuple(pair.question, pair.keeper); });
  return {};
}

}  // namespace

bool is_rejected(const std::vector<RejectedPair>& rejected, HashedQuestion question, HashedQuestion keeper) {
  const auto pair_of = [](const RejectedPair& pair) { return std::pair(pair.question, pair.keeper); };
  const std::pair wanted(question.id, keeper.id);
  const std::span pairs(std::ranges::lower_bound(rejected, wanted, {}, pair_of),
                        std::ranges::upper_bound(rejected, wanted, {}, pair_of));
  return std::ranges::any_of(pairs, [&](const RejectedPair& pair) {
    return pair.question_hash == question.hash && pair.keep_hash == keeper.hash;
  });
}

Result<Reconsidered> reconsider(db::Deletions& deletions, db::Bank& bank) {
  Reconsidered result;
  Reopened reopened;
  QDEDUP_TRY(reconsider_open(deletions, bank, result, reopened));
  QDEDUP_TRY(reconsider_rejected(deletions, bank, result, reopened));
  const Result<db::ReopenedPairs> withdrawn_before = deletions.reopened();
  if (!withdrawn_before.ok()) return withdrawn_before.error();
  result.last_reopened_id = withdrawn_before->last_id;
  for (const db::ReopenedPair& pair : withdrawn_before->pairs) reopened[pair.keeper].push_back(pair.question);
  for (auto& [keeper, questions] : reopened) {
    questions.push_back(keeper);
    sort_unique(questions);
    result.to_decide.push_back(std::move(questions));
  }
  return result;
}

}  // namespace qdedup::iteration
