#pragma once

#include <string>

#include "base/draft_file.h"
#include "base/progress.h"
#include "base/result.h"
#include "db/connection.h"

namespace qdedup::db {

// A snapshot of a database: while it lives, everything read through that connection, which must outlive it,
// is from one moment. Others may write meanwhile; the write-ahead log grows until the object is destroyed.
class Snapshot {
 public:
  static Result<Snapshot> take(Connection& connection);

  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&&) = delete;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot();

 private:
  explicit Snapshot(SQLite::Database& database) : database_(&database) {}

  SQLite::Database* database_;
};

enum class Overwrite { no, yes };

// ErrorCode::cannot_create if anything exists there; with Overwrite::yes, anything but a regular file or a
// link.
Status expect_room(const FilePlace& target, Overwrite overwrite);

// Copies the database at `source` to `target` as of one moment, while others write to it. The copy is written
// out of sight, checked by SQLite's integrity check, synced and renamed; it is a single file that can be put
// back by itself. Without Overwrite::yes an existing file is kept (ErrorCode::cannot_create). `stage`
// names the copy in `progress`, which counts pages.
Status back_up(const std::string& source, const FilePlace& target, Overwrite overwrite,
               const std::string& stage, const Progress& progress);

}  // namespace qdedup::db
