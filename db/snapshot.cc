#include "db/snapshot.h"

#include <string>
#include <utility>

#include "db/connection.h"

namespace qdedup::db {

Result<Snapshot> Snapshot::take(Store& store) { return take(store.path(), store.database()); }

Result<Snapshot> Snapshot::take(Bank& bank) { return take(bank.path(), bank.database()); }

Result<Snapshot> Snapshot::take(const std::string& path, SQLite::Database& database) {
  return guarded(path, [&] {
    database.exec("BEGIN");
    Snapshot snapshot(database);
    database.execAndGet("SELECT count(*) FROM sqlite_schema");  // takes the moment
    return snapshot;
  });
}

Snapshot::Snapshot(Snapshot&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Snapshot::~Snapshot() {
  if (database_ != nullptr) database_->tryExec("ROLLBACK");
}

}  // namespace qdedup::db
