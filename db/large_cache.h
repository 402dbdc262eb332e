#pragma once

#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

namespace qdedup::db {

// While it is there, the connection keeps 64 MiB of its file in memory, and not just 2: for rows by the
// million, which go all over the indexes. Throws what the library throws.
class LargeCache {
 public:
  explicit LargeCache(SQLite::Database& database)
      : database_(database), usual_(database.execAndGet("PRAGMA cache_size").getInt()) {
    database_.exec("PRAGMA cache_size = -65536");  // KiB
  }
  LargeCache(const LargeCache&) = delete;
  LargeCache& operator=(const LargeCache&) = delete;
  ~LargeCache() { database_.tryExec("PRAGMA cache_size = " + std::to_string(usual_)); }

 private:
  SQLite::Database& database_;
  int usual_;
};

}  // namespace qdedup::db
