#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "db/database_files.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// Looks at an open database as it is on the disk, a little at a time: its files, its size, and some pages in
// turn. For one connection, which only reads and outlives it; on the thread of that.
class DiskCheck {
 public:
  DiskCheck(std::string path, SQLite::Database& database);

  [[nodiscard]] const DatabaseFiles& files() const { return files_; }

  // The next `count` pages, and whether the file is as long as it should be; fewer where one only looked
  // damaged. A page that fails is the first of the next time.
  Status check_pages(std::uint64_t count);

 private:
  enum class Page { sound, suspect, past_end };
  [[nodiscard]] Page look_at(std::uint64_t page) const;
  Status check_log();
  Status confirm();

  std::string path_;
  SQLite::Database& database_;
  DatabaseFiles files_;
  std::uint64_t next_ = 0;
};

}  // namespace qdedup::db
