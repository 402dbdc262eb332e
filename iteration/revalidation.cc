#include "iteration/revalidation.h"

#include <optional>
#include <utility>
#include <vector>

#include "db/deletions.h"
#include "db/verified_pairs.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

Result<std::vector<engine::ListedPair>> listed(Result<db::DeletionCursor> rows) {
  if (!rows.ok()) return std::move(rows).error();
  std::vector<engine::ListedPair> pairs;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, rows->next());
    if (!row) return pairs;
    pairs.push_back({row->id,
                     row->question,
                     row->keeper,
                     {row->question_hash, row->keep_hash},
                     db::outlives_keeper(*row)});
  }
}

}  // namespace

Result<StoredPairs> read_pairs(db::Store& store) {
  StoredPairs stored;
  db::Deletions deletions(store);
  QDEDUP_ASSIGN_OR_RETURN(stored.pairs.open, listed(deletions.open()));
  QDEDUP_ASSIGN_OR_RETURN(stored.pairs.rejected,
                          listed(deletions.select({.statuses = {db::DeletionStatus::rejected}})));
  QDEDUP_ASSIGN_OR_RETURN(stored.pairs.verified, listed(db::VerifiedPairs(store).all()));
  QDEDUP_ASSIGN_OR_RETURN(const db::ReopenedPairs reopened, deletions.reopened());
  stored.last_reopened_id = reopened.last_id;
  for (const db::ReopenedPair& pair : reopened.pairs)
    stored.pairs.reopened.push_back({pair.question, pair.keeper});
  return stored;
}

engine::PresentText present_in(db::Bank& bank) {
  return [&bank](QuestionId id) -> Result<std::optional<std::uint64_t>> {
    bank.report_activity();  // its statements are too short to report any
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> question, bank.find(id));
    return question ? std::optional(refine::text_hash(question->text)) : std::nullopt;
  };
}

}  // namespace qdedup::iteration
