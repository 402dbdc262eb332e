#include "db/backup.h"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "db/connection.h"

namespace qdedup::db {
namespace {

constexpr int pages_per_step = 4096;

Error cannot_create(const std::string& path, int reason) {
  return {ErrorCode::cannot_create, path + ": " + std::generic_category().message(reason)};
}

// A file of ours beside the target that is gone when this is, unless it got its name.
class Draft {
 public:
  explicit Draft(const std::string& target) : path_(target + ".part-" + std::to_string(::getpid())) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    std::error_code failure;
    for (const char* suffix : {"", "-journal", "-wal", "-shm"})
      std::filesystem::remove(path_ + suffix, failure);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  // The state is nobody else's business.
  [[nodiscard]] Status create() const {
    const FileDescriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640));  // NOLINT
    return file.open() ? Status() : Status(cannot_create(path_, errno));
  }

  // A link, other than a renaming, fails where there is a file.
  [[nodiscard]] Status put_at(const std::string& target, Overwrite overwrite) const {
    if (overwrite == Overwrite::no) {
      if (::link(path_.c_str(), target.c_str()) == 0) return {};
      if (errno != EPERM) return cannot_create(target, errno);  // EPERM: a file system without links
    }
    return ::rename(path_.c_str(), target.c_str()) == 0 ? Status() : Status(cannot_create(target, errno));
  }

 private:
  std::string path_;
};

Status sync(const std::string& path, int flags) {
  const FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC));  // NOLINT(*-vararg)
  if (!file.open()) return errno_error(path, errno);
  return ::fsync(file.number()) == 0 ? Status() : Status(errno_error(path, errno));
}

// Within a transaction of the source, so that what others write meanwhile does not begin the copy anew.
void copy(SQLite::Database& source, SQLite::Database& target, const std::string& stage,
          const Progress& progress) {
  source.exec("BEGIN");
  source.execAndGet("SELECT count(*) FROM sqlite_schema");
  SQLite::Backup backup(target, source);
  while (backup.executeStep(pages_per_step) != SQLITE_DONE) {
    const auto total = static_cast<std::uint64_t>(backup.getTotalPageCount());
    progress(stage, total - static_cast<std::uint64_t>(backup.getRemainingPageCount()), total, "pages");
  }
}

Status make(const std::string& source_path, const std::string& draft, const std::string& stage,
            const Progress& progress) {
  return guarded(source_path, [&]() -> Status {
    SQLite::Database target(draft, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_timeout_ms);
    {
      SQLite::Database source(source_path, SQLite::OPEN_READONLY, busy_timeout_ms);
      copy(source, target, stage, progress);
    }
    target.exec("PRAGMA journal_mode = DELETE");
    const std::string verdict = target.execAndGet("PRAGMA integrity_check(1)").getString();
    if (verdict == "ok") return {};
    return Error{ErrorCode::data, source_path + ": is damaged, so its copy was dropped (" + verdict + ")"};
  });
}

}  // namespace

Status expect_nothing_at(const std::string& target) {
  std::error_code failure;
  if (!std::filesystem::exists(std::filesystem::symlink_status(target, failure))) return {};
  return cannot_create(target, EEXIST);
}

Status back_up(const std::string& source, const std::string& target, Overwrite overwrite,
               const std::string& stage, const Progress& progress) {
  if (overwrite == Overwrite::no) QDEDUP_TRY(expect_nothing_at(target));
  const Draft draft(target);
  QDEDUP_TRY(draft.create());
  QDEDUP_TRY(make(source, draft.path(), stage, progress));
  QDEDUP_TRY(sync(draft.path(), O_RDONLY));
  QDEDUP_TRY(draft.put_at(target, overwrite));
  const std::string folder = std::filesystem::path(target).parent_path().string();
  return sync(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

}  // namespace qdedup::db
