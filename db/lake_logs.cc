#include "db/lake_logs.h"

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {

Result<std::vector<LakeLogRecord>> LakeLogs::all() {
  return guarded(store_.path(), [&] {
    std::vector<LakeLogRecord> logs;
    SQLite::Statement rows(store_.database(),
                           "SELECT path, bytes, content, lines, selected, unselected, rejected "
                           "FROM lake_log ORDER BY path");
    while (rows.executeStep()) {
      logs.push_back({rows.getColumn(0).getString(), loaded(rows.getColumn(1)), rows.getColumn(2).getString(),
                      loaded(rows.getColumn(3)), loaded(rows.getColumn(4)), loaded(rows.getColumn(5)),
                      loaded(rows.getColumn(6))});
    }
    return logs;
  });
}

void add_lake_logs(SQLite::Database& database, std::int64_t iteration, std::span<const LakeLogRecord> logs) {
  SQLite::Statement insert(database,
                           "INSERT INTO lake_log (path, bytes, content, iteration_id, lines, selected, "
                           "unselected, rejected) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const LakeLogRecord& log : logs) {
    run(insert, log.path, log.bytes, log.content, iteration, log.lines, log.selected, log.unselected,
        log.rejected);
  }
}

}  // namespace qdedup::db
