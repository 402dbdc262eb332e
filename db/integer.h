#pragma once

#include <cstdint>

#include <SQLiteCpp/Column.h>

namespace qdedup::db {

// SQLite's integers are signed; hashes, inodes and counts of ours are not. They are stored bit by bit.
inline std::int64_t stored(std::uint64_t value) { return static_cast<std::int64_t>(value); }
inline std::uint64_t loaded(const SQLite::Column& column) {
  return static_cast<std::uint64_t>(column.getInt64());
}

}  // namespace qdedup::db
