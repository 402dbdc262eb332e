#include "db/slots.h"

#include "db/connection.h"
#include "db/slot_row.h"

namespace qdedup::db {

using std::chrono::seconds;
using std::chrono::sys_seconds;

void add_slot(SQLite::Database& database, sys_seconds slot, const std::string& recorded_at) {
  SQLite::Statement insert(database, "INSERT OR IGNORE INTO slot (at, recorded_at) VALUES (?, ?)");
  insert.bind(1, static_cast<std::int64_t>(slot.time_since_epoch().count()));
  insert.bind(2, recorded_at);
  insert.exec();
}

Result<std::vector<sys_seconds>> Slots::recorded() {
  return guarded(store_.path(), [&] {
    std::vector<sys_seconds> slots;
    SQLite::Statement rows(store_.database(), "SELECT at FROM slot ORDER BY at");
    while (rows.executeStep()) slots.emplace_back(seconds(rows.getColumn(0).getInt64()));
    return slots;
  });
}

Status Slots::record(sys_seconds slot, const std::string& recorded_at) {
  return guarded(store_.path(), [&] { add_slot(store_.database(), slot, recorded_at); });
}

}  // namespace qdedup::db
