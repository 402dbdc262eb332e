#include "iteration/lost_pairs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "db/standing.h"

namespace qdedup::iteration {
namespace {

// Why it holds no longer; nothing while it does.
Result<std::optional<const char*>> loss_of(const db::DeletionRow& pair, db::Bank& bank,
                                           std::span<const refine::Deletion> open) {
  const Result<db::Standing> standing = db::standing_of(pair, bank);
  if (!standing.ok()) return standing.error();
  if (*standing == db::Standing::keeper_gone) return std::optional("keeper-gone");
  if (*standing == db::Standing::text_changed) return std::optional("text-changed");
  if (std::ranges::binary_search(open, pair.question, {}, &refine::Deletion::question)) {
    return std::optional<const char*>();
  }
  const auto question = bank.find(pair.question);
  if (!question.ok()) return question.error();
  return question->has_value() ? std::nullopt : std::optional("question-gone");
}

}  // namespace

Status find_lost_pairs(db::Store& store, db::Bank& bank, std::span<const refine::Deletion> open,
                       std::vector<db::LostPair>& lost) {
  Result<db::DeletionCursor> pairs = db::VerifiedPairs(store).all();
  if (!pairs.ok()) return std::move(pairs).error();
  while (true) {
    const Result<std::optional<db::DeletionRow>> next = pairs->next();
    if (!next.ok()) return next.error();
    if (!next->has_value()) return {};
    const Result<std::optional<const char*>> loss = loss_of(**next, bank, open);
    if (!loss.ok()) return loss.error();
    if (*loss) lost.push_back({(*next)->question, (*next)->keeper, **loss});
  }
}

}  // namespace qdedup::iteration
