#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/connection.h"
#include "db/state_folder.h"

namespace qdedup::db {

// Reads every page of the database, and those of its write-ahead log that are not in the database yet, within
// a snapshot that the caller holds. Reports which pages are damaged, which tables and indexes they belong to,
// with the rows around, and what to do.
Result<std::vector<std::string>> find_page_damage(Connection& connection);

// Checks an open database on disk, a little at a time: its files, its size, and some pages at a time. Uses
// one read-only connection, which must outlive it, on that connection's thread.
class DiskCheck {
 public:
  DiskCheck(std::string path, SQLite::Database& database);

  [[nodiscard]] const DatabaseFiles& files() const { return files_; }

  // Checks the next `count` pages, and that the file is as long as it should be; fewer if a page merely
  // looked damaged. A page that fails is checked first the next time.
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
