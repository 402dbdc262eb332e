#include "db/snapshot.h"

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "db/database.h"

namespace qdedup::db {
namespace {

constexpr int pages_per_step = 4096;

// Begins a transaction that sees the database as it is now.
void begin_read(SQLite::Database& database) {
  database.exec("BEGIN");
  database.execAndGet("SELECT count(*) FROM sqlite_schema");
}

// The target alone is written.
bool is_of_writing(int code) {
  return code == SQLITE_FULL || code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC ||
         code == SQLITE_IOERR_TRUNCATE;
}

// Runs within a transaction of the source, so that writes of others do not restart the copy. `shown` is the
// name of the target.
Status copy(SQLite::Database& source, SQLite::Database& target, const std::string& shown,
            const std::string& stage, const Progress& progress) {
  begin_read(source);
  try {
    SQLite::Backup backup(target, source);
    while (backup.executeStep(pages_per_step) != SQLITE_DONE) {
      const auto total = static_cast<std::uint64_t>(backup.getTotalPageCount());
      progress(stage, total - static_cast<std::uint64_t>(backup.getRemainingPageCount()), total, "pages");
    }
    finish_draft(target, false);
    return {};
  } catch (const SQLite::Exception& failure) {
    if (!is_of_writing(failure.getErrorCode())) throw;
    return Error{ErrorCode::io, shown + ": " + failure.getErrorStr()};
  }
}

Status make(const std::string& source_path, const DraftFile& draft, const std::string& shown,
            const std::string& stage, const Progress& progress) {
  return guarded(source_path, [&]() -> Status {
    {
      SQLite::Database target = connect_draft(draft.path());
      SQLite::Database source = connect(source_path, SQLite::OPEN_READONLY);
      QDEDUP_TRY(copy(source, target, shown, stage, progress));
    }
    SQLite::Database copied = connect(draft.path(), SQLite::OPEN_READWRITE, draft_vfs());
    const std::string verdict = copied.execAndGet("PRAGMA integrity_check(1)").getString();
    if (verdict == "ok") return {};
    return Error{ErrorCode::data, source_path + ": is damaged, so its copy was dropped (" + verdict + ")"};
  });
}

}  // namespace

Result<Snapshot> Snapshot::take(Connection& connection) {
  return guarded(connection.path(), [&] {
    Snapshot snapshot(connection.database());  // ends the transaction if anything below fails
    begin_read(connection.database());
    return snapshot;
  });
}

Snapshot::Snapshot(Snapshot&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Snapshot::~Snapshot() {
  if (database_ != nullptr) database_->tryExec("ROLLBACK");
}

Status expect_room(const FilePlace& target, Overwrite overwrite) {
  struct stat there {};
  if (::lstat(target.path().c_str(), &there) != 0) return {};
  if (overwrite == Overwrite::no) {
    return Error{ErrorCode::cannot_create,
                 target.shown() + ": " + std::generic_category().message(EEXIST) + "; --force replaces it"};
  }
  // A device or a pipe would become a file.
  if (S_ISREG(there.st_mode) || S_ISLNK(there.st_mode)) return {};
  return Error{ErrorCode::cannot_create, target.shown() + ": is there, and no regular file"};
}

Status back_up(const std::string& source, const FilePlace& target, Overwrite overwrite,
               const std::string& stage, const Progress& progress) {
  QDEDUP_TRY(expect_room(target, overwrite));
  QDEDUP_ASSIGN_OR_RETURN(DraftFile draft, DraftFile::beside(target, 0640));
  QDEDUP_TRY(make(source, draft, target.shown(), stage, progress));
  return overwrite == Overwrite::yes ? draft.replace() : draft.put();
}

}  // namespace qdedup::db
