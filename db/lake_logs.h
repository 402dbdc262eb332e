#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/store.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// A log file in a lake, and what became of its lines.
struct LakeLogRecord {
  std::string path;
  std::uint64_t bytes = 0;  // of the file
  std::string content;      // checksum of the unpacked bytes
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
  std::uint64_t unselected = 0;
  std::uint64_t rejected = 0;
};

// The log files in a lake that iterations were made of.
class LakeLogs {
 public:
  explicit LakeLogs(Store& store) : store_(store) {}

  // By path.
  Result<std::vector<LakeLogRecord>> all();

 private:
  Store& store_;
};

// Works within the open transaction; throws what the library throws.
void add_lake_logs(SQLite::Database& database, std::int64_t iteration, std::span<const LakeLogRecord> logs);

}  // namespace qdedup::db
