#include "db/withdrawal.h"

#include "db/connection.h"

namespace qdedup::db {

std::vector<UnsettledQuestion> withdraw(SQLite::Database& database, std::span<const Withdrawal> withdrawals,
                                        const std::string& now) {
  SQLite::Statement audit(
      database,
      "INSERT INTO decision (deletion_id, decided_at, decided_by, old_status, new_status, note) "
      "SELECT id, ?, 'qdedup', status, 'withdrawn', ? FROM deletion WHERE id = ?");
  SQLite::Statement update(database,
                           "UPDATE deletion SET status = 'withdrawn' WHERE id = ? RETURNING question_id");
  std::vector<UnsettledQuestion> unsettled;
  unsettled.reserve(withdrawals.size());
  for (const Withdrawal& withdrawal : withdrawals) {
    audit.bind(1, now);
    audit.bind(2, withdrawal.reason);
    audit.bind(3, withdrawal.deletion_id);
    audit.exec();
    audit.reset();
    update.bind(1, withdrawal.deletion_id);
    if (update.executeStep()) {
      unsettled.push_back({update.getColumn(0).getInt64(), withdrawal.reason, database.getLastInsertRowid()});
    }
    update.reset();
  }
  return unsettled;
}

}  // namespace qdedup::db
