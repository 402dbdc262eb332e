#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace qdedup::db {

// Some mined lines of a log that identify its content (logs::LogMark, logs::line_hashes).
struct LogMarkRecord {
  std::uint64_t begin_offset = 0;  // the beginning of a line
  std::uint64_t end_offset = 0;
  std::uint64_t tail_hash = 0;  // of the bytes before begin_offset
  std::string line_hashes;      // of the first lines in between; empty: not known

  friend bool operator==(const LogMarkRecord&, const LogMarkRecord&) = default;
};

// Lines in this part at the end of a log keep their hashes.
inline constexpr std::size_t hashed_log_bytes = std::size_t{1} << 20U;

// How much to read of the marks of one log.
struct LogMarkLimits {
  std::size_t marks;
  std::size_t hash_bytes;  // of each mark's line_hashes
};

// The following functions throw SQLite::Exception.

// Adds the marks of lines mined just now, in order of their offsets. What is kept is bounded: the hashes of
// lines at the beginning of a log and in its last one or two MiB, a thousand marks in between, all for the
// 500 logs mined last and for those that somebody forgot.
void add_log_marks(SQLite::Database& database, std::int64_t log_id, const std::vector<LogMarkRecord>& marks);

// Drops the marks of all logs but those mined last, and those forgotten, to make room for one more. Looks at
// no log that has none.
void drop_old_log_marks(SQLite::Database& database);

}  // namespace qdedup::db
