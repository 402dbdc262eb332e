#pragma once

#include <stdexcept>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "db/checked_vfs.h"

namespace qdedup {

// A database file, for tests that look or write behind the store's back. Without the checked layer it is as
// any other program sees it, which is to read only.
class SqliteFile {
 public:
  explicit SqliteFile(const std::string& path, const char* vfs = db::checked_vfs()) {
    const int outcome =
        sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs);
    if (outcome != SQLITE_OK) throw std::runtime_error("cannot open " + path);
  }
  ~SqliteFile() { sqlite3_close(database_); }
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  // The first column of each row, a comma between rows; the message when the statement fails.
  std::string query(const std::string& sql) {
    std::string answer;
    const auto add = [](void* text, int /*columns*/, char** values, char** /*names*/) {
      std::string& sum = *static_cast<std::string*>(text);
      sum += (sum.empty() ? "" : ",") + std::string(values[0] == nullptr ? "NULL" : values[0]);
      return 0;
    };
    char* message = nullptr;
    if (sqlite3_exec(database_, sql.c_str(), add, &answer, &message) != SQLITE_OK) answer = message;
    sqlite3_free(message);
    return answer;
  }

 private:
  sqlite3* database_ = nullptr;
};

// Lets a connection run triggers, which qdedup's own do not: some tests have statements fail by one.
inline void run_triggers(SQLite::Database& database) {
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, nullptr);
}

}  // namespace qdedup
