#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace qdedup::db {

// What is left of a -wal file that had to grow beyond it.
inline constexpr std::uint64_t largest_kept_log = std::uint64_t{256} << 20U;

// The files of an open database (itself, its -wal and its -shm) as they stood at their paths when this was
// made: right after the connection had read from it, so that they are the ones that it has open. While it
// is open SQLite puts none of them in the place of another.
class DatabaseFiles {
 public:
  explicit DatabaseFiles(const std::string& path);

  // An error where one of them is gone, or another stands in its place: what is written then is lost.
  // The log never becomes shorter, but when SQLite trims one that had grown.
  [[nodiscard]] Status check() const;

  // A database is at its path, and some of the files that are open are at theirs, but not all: to open it
  // once more would mix them with others.
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
  mutable std::uint64_t log_size_ = 0;  // when it was looked at last
};

}  // namespace qdedup::db
