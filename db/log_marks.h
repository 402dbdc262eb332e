#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace qdedup::db {

// Some lines of a log that were mined, by which its content is known again (logs::LogMark,
// logs::line_hashes).
struct LogMarkRecord {
  std::uint64_t begin_offset = 0;  // the beginning of a line
  std::uint64_t end_offset = 0;
  std::uint64_t tail_hash = 0;  // of the bytes before begin_offset
  std::string line_hashes;      // of the first lines between the two; empty: not known

  friend bool operator==(const LogMarkRecord&, const LogMarkRecord&) = default;
};

// All of the following throw SQLite::Exception.

// Adds the marks of lines that were mined just now, in the order of their offsets. What is kept is bounded:
// the hashes of lines at the beginning of a log and in its last MiB or two, a thousand marks in between, and
// that of the 500 logs that were mined last.
void add_log_marks(SQLite::Database& database, std::int64_t log_id, const std::vector<LogMarkRecord>& marks);

// Forgets the marks of all logs but those that were mined last.
void drop_old_log_marks(SQLite::Database& database);

// Of one log, in the order of their offsets.
std::vector<LogMarkRecord> read_log_marks(SQLite::Database& database, std::int64_t log_id);

}  // namespace qdedup::db
