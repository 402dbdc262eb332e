#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/draft_file.h"
#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::db {

// The folder that holds all state: qdedup.db, bank.db, the lock, and the socket of a running daemon.
class StateFolder {
 public:
  explicit StateFolder(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string store_path() const { return path_ + "/qdedup.db"; }
  [[nodiscard]] std::string bank_path() const { return path_ + "/bank.db"; }
  [[nodiscard]] std::string lock_path() const { return path_ + "/lock"; }
  [[nodiscard]] std::string socket_path() const { return path_ + "/qdedupd.sock"; }
  // All files that may exist.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::string path_;
};

// The right to change the state, which one process has at a time. Released when the object is destroyed or
// the process dies.
class StateLock {
 public:
  // ErrorCode::busy if another process holds the lock.
  static Result<StateLock> acquire(const StateFolder& folder);

 private:
  explicit StateLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

// The folder of a state and the files in it: who may use them, and how they are created and opened. Anyone
// who may write to the folder is trusted with the state and nothing else, so no file in it may lead
// elsewhere.

// Creates the folder and its missing parents, with mode 0750 less the umask. Refuses a folder that everybody
// may write to, or rename. Fails with ErrorCode::cannot_create.
Status make_state_folder(const std::string& path);

// 0660 if the group may write to `folder`, otherwise 0640.
mode_t state_file_mode(const std::string& folder);

// Whether those who may only read the folder's files may read this one.
enum class Readers { as_in_folder, none };

// Opens the file for reading and writing. If it is missing, creates it empty, with the mode of state files,
// whatever the umask is.
Result<FileDescriptor> open_state_file(const std::string& path, Readers readers = Readers::as_in_folder);

// ErrorCode::data for a link, anything but a regular file, a file with a second name, or the file of somebody
// who may not write to the folder. A missing file is fine.
Status check_state_file(const std::string& path);

// The exit code if standard output or standard error is a file of a state: one of `in_use`, by any name or
// link, or one that another state would take for its own. `report` gets the reason if there is a way to say
// it.
std::optional<int> refuse_state_files(const StateFolder& in_use,
                                      const std::function<void(const Error&)>& report);

// Where an output at `path` goes after resolving symbolic links, except those to an open pipe and the like
// (/dev/stdout). Fails with ErrorCode::cannot_create if that is such a file, and also for a folder, and if
// the path goes through a link that belongs neither to the caller nor to root.
Result<FilePlace> output_place(const std::string& path, const StateFolder& in_use);

// The size to which a -wal file that has grown is cut.
inline constexpr std::uint64_t largest_kept_log = std::uint64_t{256} << 20U;

// The files of an open database (itself, its -wal and its -shm). Create it right after the connection has
// read from the database, so that the files at these paths are the ones it has open. SQLite replaces none of
// them while it is open.
class DatabaseFiles {
 public:
  explicit DatabaseFiles(const std::string& path);

  // An error if one of them is gone or was replaced, since anything written then is lost, or is no file of a
  // state any more (check_state_file), which nobody else could open. The log never becomes shorter, except
  // when SQLite trims one that had grown.
  [[nodiscard]] Status check() const;

  // There is a database at its path, and some but not all of the open files are at theirs: another connection
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
