#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::db {

enum class Access { read_write, read_only };

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

}  // namespace qdedup::db
