#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/draft_file.h"
#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::db {

// The folder that holds all state: qdedup.db, bank.db, the lock, and the socket of a daemon that runs.
class StateFolder {
 public:
  explicit StateFolder(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string store_path() const { return path_ + "/qdedup.db"; }
  [[nodiscard]] std::string bank_path() const { return path_ + "/bank.db"; }
  [[nodiscard]] std::string lock_path() const { return path_ + "/lock"; }
  [[nodiscard]] std::string socket_path() const { return path_ + "/qdedupd.sock"; }
  // All files that there may be.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::string path_;
};

// The right to change the state: one process at a time has it. Given back when the object goes, or the
// process dies.
class StateLock {
 public:
  // ErrorCode::busy when another process holds the lock.
  static Result<StateLock> acquire(const StateFolder& folder);

 private:
  explicit StateLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

// The folder of a state and the files in it: who may use them, and how they are made and opened. Whoever may
// write to the folder is trusted with the state and with nothing else, so no file of it may lead elsewhere.

// Makes the folder, and those above it that are missing, with mode 0750 less the umask.
Status make_state_folder(const std::string& path);

// 0660 where the group may write to `folder`, else 0640.
mode_t state_file_mode(const std::string& folder);

// Whether those who may read the folder's files, but not write to them, may read a file.
enum class Readers { as_in_folder, none };

// Opens the file for reading and writing. One that is missing is made, empty, with the mode of state files,
// whatever the umask is.
Result<FileDescriptor> open_state_file(const std::string& path, Readers readers = Readers::as_in_folder);

// ErrorCode::data for a link, for what is no regular file or has a second name, and for a file of somebody
// who may not write to the folder. A file that is missing is fine.
Status check_state_file(const std::string& path);

// ErrorCode::cannot_create, with the reason, where an output at `path` would be a file of a state: one of
// `in_use`, by whatever name or link, or what another state would take for its own.
Status expect_no_state_file(const std::string& path, const StateFolder& in_use);

// Where an output at `path` goes, once its symbolic links are followed; only what leads to an open pipe and
// the like (/dev/stdout) is left. The same error, also for a folder and where the path goes through a link
// that is neither the caller's nor root's.
Result<FilePlace> output_place(const std::string& path, const StateFolder& in_use);

// To what a -wal file that grew beyond it is cut.
inline constexpr std::uint64_t largest_kept_log = std::uint64_t{256} << 20U;

// The files of an open database (itself, its -wal and its -shm). To be made right after the connection has
// read from it, so that the files at these paths are the ones that it has open. While it is open SQLite
// replaces none of them.
class DatabaseFiles {
 public:
  explicit DatabaseFiles(const std::string& path);

  // An error where one of them is gone or was replaced: what is written then is lost. The log never becomes
  // shorter, except where SQLite trims one that had grown.
  [[nodiscard]] Status check() const;

  // A database is at its path, and some of the open files are at theirs, but not all: another connection
  // would mix them with other files.
  [[nodiscard]] bool are_mixed() const;

 private:
  struct Identity {
    std::uint64_t device;
    std::uint64_t inode;

    friend bool operator==(const Identity&, const Identity&) = default;
  };
  static std::optional<Identity> identity_of(const std::string& path);

  std::array<std::string, 3> paths_;
  std::array<std::optional<Identity>, 3> opened_;
  mutable std::uint64_t log_size_ = 0;  // at the last check
};

}  // namespace qdedup::db
