#include "db/withdrawal.h"

#include "db/connection.h"

namespace qdedup::db {

void withdraw(SQLite::Database& database, std::span<const Withdrawal> withdrawals, const std::string& now) {
  SQLite::Statement audit(
      database,
      "INSERT INTO decision (deletion_id, decided_at, decided_by, old_status, new_status, note) "
      "SELECT id, ?, 'qdedup', status, 'withdrawn', ? FROM deletion WHERE id = ?");
  SQLite::Statement update(database, "UPDATE deletion SET status = 'withdrawn' WHERE id = ?");
  for (const Withdrawal& withdrawal : withdrawals) {
    audit.bind(1, now);
    audit.bind(2, withdrawal.reason);
    audit.bind(3, withdrawal.deletion_id);
    audit.exec();
    audit.reset();
    update.bind(1, withdrawal.deletion_id);
    update.exec();
    update.reset();
  }
}

}  // namespace qdedup::db
