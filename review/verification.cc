#include "review/verification.h"

#include <optional>
#include <utility>

#include "db/classes.h"
#include "db/deletions.h"
#include "db/history.h"
#include "db/snapshot.h"
#include "db/verified_pairs.h"
#include "review/witness.h"

namespace qdedup::review {
namespace {

using TakeBreach = std::function<void(const Breach&)>;

constexpr std::uint64_t rows_between_progress = 1000;

Status verify_history(db::Store& store, const TakeBreach& take) {
  db::History history(store);
  const auto damage = history.damage();
  if (!damage.ok()) return damage.error();
  for (const std::string& detail : *damage) take({"damaged", 0, 0, 0, detail});
  const auto breaches = history.breaches();
  if (!breaches.ok()) return breaches.error();
  for (const db::HistoryBreach& breach : *breaches) {
    take({breach.kind, breach.deletion_id, breach.question, breach.keeper, ""});
  }
  return {};
}

Result<std::uint64_t> count_open(db::Deletions& deletions) {
  const auto counts = deletions.count_by_status();
  if (!counts.ok()) return counts.error();
  std::uint64_t open = 0;
  for (const auto& [status, count] : *counts) {
    if (status != "rejected" && status != "withdrawn") open += count;
  }
  return open;
}

Status verify_witnesses(db::Store& store, db::Bank& bank, const TakeBreach& take, const Progress& progress) {
  db::Deletions deletions(store);
  const Result<std::uint64_t> total = count_open(deletions);
  if (!total.ok()) return total.error();
  Result<DirectWitness> witness = DirectWitness::create(store, bank);
  if (!witness.ok()) return std::move(witness).error();
  Result<db::DeletionCursor> rows = deletions.open();
  if (!rows.ok()) return std::move(rows).error();
  for (std::uint64_t done = 0;; ++done) {
    if (done % rows_between_progress == 0) progress("verify", done, *total, "deletions");
    const Result<std::optional<db::DeletionRow>> row = rows->next();
    if (!row.ok()) return row.error();
    if (!row->has_value()) return {};
    const Result<std::optional<std::string>> kind = witness->breach(**row);
    if (!kind.ok()) return kind.error();
    if (*kind) take({**kind, (*row)->id, (*row)->question, (*row)->keeper, ""});
  }
}

Status verify_classes(db::Store& store, const TakeBreach& take) {
  const auto breaches = db::Classes(store).breaches();
  if (!breaches.ok()) return breaches.error();
  for (const db::ClassBreach& breach : *breaches) {
    const std::string detail = std::to_string(breach.question) + " with " + std::to_string(breach.other);
    take({breach.kind, 0, breach.question, breach.other, detail});
  }
  return {};
}

Status verify_pairs(db::Store& store, db::Bank& bank, const TakeBreach& take) {
  Result<DirectWitness> witness = DirectWitness::create(store, bank);
  if (!witness.ok()) return std::move(witness).error();
  Result<db::DeletionCursor> pairs = db::VerifiedPairs(store).all();
  if (!pairs.ok()) return std::move(pairs).error();
  while (true) {
    const Result<std::optional<db::DeletionRow>> pair = pairs->next();
    if (!pair.ok()) return pair.error();
    if (!pair->has_value()) return {};
    const db::DeletionRow& row = **pair;
    const Result<std::optional<std::string>> kind = witness->breach_of_pair(row);
    if (!kind.ok()) return kind.error();
    const std::string detail = std::to_string(row.question) + " with " + std::to_string(row.keeper);
    if (*kind) take({**kind, 0, row.question, row.keeper, detail});
  }
}

}  // namespace

Result<VerificationCounts> verify(db::Store& store, db::Bank& bank, const TakeBreach& take,
                                  const Progress& progress) {
  const Result<db::Snapshot> moment = db::Snapshot::take(store);
  if (!moment.ok()) return moment.error();
  VerificationCounts counts;
  const TakeBreach counting = [&](const Breach& breach) {
    ++counts.breaches;
    take(breach);
  };
  db::Deletions deletions(store);
  const Result<std::uint64_t> open = count_open(deletions);
  if (!open.ok()) return open.error();
  counts.open = *open;
  QDEDUP_TRY(verify_history(store, counting));
  QDEDUP_TRY(verify_classes(store, counting));
  QDEDUP_TRY(verify_pairs(store, bank, counting));
  QDEDUP_TRY(verify_witnesses(store, bank, counting, progress));
  return counts;
}

}  // namespace qdedup::review
