#include "db/deletion_tallies.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <SQLiteCpp/SQLiteCpp.h>

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {

TallyUpdate::Key TallyUpdate::key_of(std::int64_t iteration, DeletionStatus status,
                                     const refine::AnnotatedDeletion& pair) {
  return {.similarity = whole_similarity(pair.distance, pair.length),
          .risk = *std::ranges::lower_bound(tallied_risks, pair.risk.ten_thousandths()),
          .iteration = iteration,
          .status = status,
          .confidence = pair.confidence,
          .reasons = pair.reasons.text()};
}

void TallyUpdate::list(std::int64_t iteration, DeletionStatus status,
                       const refine::AnnotatedDeletion& deletion) {
  ++changes_[key_of(iteration, status, deletion)];
}

void TallyUpdate::change(const DeletionRow& before, DeletionStatus status,
                         const refine::AnnotatedDeletion& repointed) {
  --changes_[key_of(before.iteration, before.status, before)];
  ++changes_[key_of(before.iteration, status, repointed)];
}

void TallyUpdate::store(SQLite::Database& database) const {
  SQLite::Statement add(database,
                        "INSERT INTO deletion_tally (similarity, risk, iteration_id, status, confidence, "
                        "reasons, deletions) VALUES (?, ?, ?, ?, ?, ?, ?) "
                        "ON CONFLICT DO UPDATE SET deletions = deletions + excluded.deletions");
  SQLite::Statement drop(database,
                         "DELETE FROM deletion_tally WHERE similarity = ? AND risk = ? AND iteration_id = ? "
                         "AND status = ? AND confidence = ? AND reasons = ? AND deletions = 0");
  for (const auto& [key, change] : changes_) {
    if (change == 0) continue;
    run(add, key.similarity, key.risk, key.iteration, key.status, key.confidence, key.reasons, change);
    if (change > 0) continue;
    run(drop, key.similarity, key.risk, key.iteration, key.status, key.confidence, key.reasons);
  }
}

Result<std::vector<std::string>> wrong_tallies(Store& store) {
  return guarded(store.path(), [&] {
    TallyUpdate missing;
    SQLite::Statement rows(store.database(), "SELECT " + std::string(deletion_columns) + " FROM deletion");
    while (rows.executeStep()) {
      const DeletionRow row = deletion_row(rows);
      ++missing.changes_[TallyUpdate::key_of(row.iteration, row.status, row)];
    }
    SQLite::Statement tallies(store.database(),
                              "SELECT similarity, risk, iteration_id, status, confidence, reasons, deletions "
                              "FROM deletion_tally");
    while (tallies.executeStep()) {
      const TallyUpdate::Key key{tallies.getColumn(0).getInt(),
                                 tallies.getColumn(1).getInt(),
                                 tallies.getColumn(2).getInt64(),
                                 loaded(tallies.getColumn(3), deletion_status_named),
                                 loaded(tallies.getColumn(4), refine::confidence_named),
                                 tallies.getColumn(5).getString()};
      missing.changes_[key] -= tallies.getColumn(6).getInt64();
    }
    std::vector<std::string> wrong;
    for (const auto& [key, deletions] : missing.changes_) {
      if (deletions == 0) continue;
      std::string what = "iteration " + std::to_string(key.iteration);
      for (const std::string_view part :
           {name(key.status), name(key.confidence), std::string_view(key.reasons)}) {
        if (!part.empty()) what += ", " + std::string(part);
      }
      wrong.push_back(what + ", " + std::to_string(key.similarity) +
                      " % alike: " + std::to_string(std::abs(deletions)) +
                      (deletions > 0 ? " too few" : " too many") + " counted");
    }
    return wrong;
  });
}

}  // namespace qdedup::db
