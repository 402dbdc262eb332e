#pragma once

#include <string>

#include "base/draft_file.h"
#include "base/progress.h"
#include "base/result.h"
#include "db/connection.h"

namespace qdedup::db {

// One moment of a database: while the object lives, all that is read through that connection, which must
// outlive it, is of that moment. Others may write meanwhile; the write-ahead log grows until the object goes.
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

// ErrorCode::cannot_create where there is a file, or anything else, already.
Status expect_nothing_at(const FilePlace& target);

// Copies the database at `source` to `target` as of one moment, while others write to it: whole transactions
// only. The copy is made out of sight, checked by SQLite's integrity check, synced and renamed; it is one
// file, which needs no other to be put back. Without Overwrite::yes a file that is there stays
// (ErrorCode::cannot_create). `stage` names the copy in `progress`, which counts pages.
Status back_up(const std::string& source, const FilePlace& target, Overwrite overwrite,
               const std::string& stage, const Progress& progress);

}  // namespace qdedup::db
