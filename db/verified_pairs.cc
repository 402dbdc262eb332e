#include "db/verified_pairs.h"

#include <utility>
#include <vector>

#include "db/class_updater.h"
#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// A listed pair does not count as verified pair: a reviewer decides on it.
void drop_listed(SQLite::Database& database) {
  database.exec(
      "DELETE FROM verified_pair WHERE EXISTS (SELECT 1 FROM deletion d "
      "WHERE d.question_id = verified_pair.question_id AND d.keep_id = verified_pair.keep_id "
      "AND d." QDEDUP_OPEN ")");
  database.exec(
      "DELETE FROM arrival_pair WHERE EXISTS (SELECT 1 FROM deletion d "
      "WHERE d.question_id = arrival_pair.question_id AND d.keep_id = arrival_pair.other_id "
      "AND d." QDEDUP_OPEN ")");
}

}  // namespace

Result<DeletionCursor> VerifiedPairs::all() {
  return cursor_of(store_, deletion_row,
                   "SELECT 0, iteration_id, question_id, keep_id, distance, length, by_sets, "
                   "confidence, reasons, risk, 'pending', question_hash, keep_hash, '' FROM verified_pair "
                   "ORDER BY question_id, keep_id");
}

Status VerifiedPairs::lose(std::span<const LostPair> pairs) {
  return guarded(store_.path(), [&] {
    SQLite::Transaction transaction(store_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    lose_pairs(store_.database(), pairs);
    std::vector<UnsettledQuestion> unsettled;
    for (const LostPair& pair : pairs) unsettled.push_back({pair.question, pair.reason});
    ClassUpdater(store_.database()).settle_all(std::move(unsettled));
    transaction.commit();
  });
}

void add_pairs(SQLite::Database& database, std::int64_t iteration,
               std::span<const refine::AnnotatedDeletion> pairs) {
  SQLite::Statement insert(database,
                           "INSERT OR REPLACE INTO verified_pair (question_id, keep_id, iteration_id, "
                           "distance, length, by_sets, confidence, reasons, risk, question_hash, "
                           "keep_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const refine::AnnotatedDeletion& pair : pairs) {
    run(insert, pair.question, pair.keeper, iteration, pair.distance, pair.length, pair.by_sets,
        pair.confidence, pair.reasons.text(), pair.risk, pair.question_hash, pair.keep_hash);
  }
  drop_listed(database);
}

void lose_pairs(SQLite::Database& database, std::span<const LostPair> pairs) {
  SQLite::Statement remove(database, "DELETE FROM verified_pair WHERE question_id = ? AND keep_id = ?");
  for (const LostPair& pair : pairs) {
    run(remove, pair.question, pair.keeper);
  }
}

}  // namespace qdedup::db
