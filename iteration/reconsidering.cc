#include "iteration/reconsidering.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/sort_unique.h"
#include "iteration/text_hash.h"

namespace qdedup::iteration {
namespace {

// The hash of a question's text now; nothing when it has none.
Result<std::optional<std::uint64_t>> current_hash(db::Bank& bank, QuestionId id) {
  Result<std::optional<db::BankQuestion>> question = bank.find(id);
  if (!question.ok()) return std::move(question).error();
  if (!question->has_value()) return std::optional<std::uint64_t>();
  return std::optional(text_hash((*question)->text));
}

enum class Standing { holds, keeper_gone, text_changed };

// A question that left the bank has not changed: its deletion stays until it is carried out, or the question
// comes back.
Result<Standing> standing_of(const db::DeletionRow& row, db::Bank& bank) {
  const auto question = current_hash(bank, row.question);
  if (!question.ok()) return question.error();
  const auto keeper = current_hash(bank, row.keeper);
  if (!keeper.ok()) return keeper.error();
  const bool question_changed = *question && **question != row.question_hash;
  if (!*keeper) {
    const bool decided = row.status == "applied" || row.status == "rejected";
    return decided && !question_changed ? Standing::holds : Standing::keeper_gone;
  }
  return question_changed || **keeper != row.keep_hash ? Standing::text_changed : Standing::holds;
}

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
    const Result<Standing> standing = standing_of(row, bank);
    if (!standing.ok()) return standing.error();
    if (*standing == Standing::holds) {
      result.open.push_back({row.question, row.keeper});
    } else if (*standing == Standing::keeper_gone) {
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
    const Result<Standing> standing = standing_of(row, bank);
    if (!standing.ok()) return standing.error();
    if (*standing == Standing::keeper_gone) {
      result.withdrawn.push_back({row.id, "keeper-gone"});
    } else if (*standing == Standing::text_changed) {
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

Result<Reconsidered> reconsider(db::Deletions& deletions, db::Bank& bank) {
  Reconsidered result;
  Reopened reopened;
  QDEDUP_TRY(reconsider_open(deletions, bank, result, reopened));
  QDEDUP_TRY(reconsider_rejected(deletions, bank, result, reopened));
  for (auto& [keeper, questions] : reopened) {
    questions.push_back(keeper);
    sort_unique(questions);
    result.to_decide.push_back(std::move(questions));
  }
  return result;
}

}  // namespace qdedup::iteration
