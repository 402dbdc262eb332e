#include "db/log_marks.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "db/integer.h"

namespace qdedup::db {
namespace {

constexpr std::uint64_t hashed_bytes = std::uint64_t{1} << 20U;  // at the end of a log: their lines are known
constexpr std::uint64_t joined_bytes = std::uint64_t{1} << 16U;  // that one mark stands for, at most
constexpr std::int64_t most_marks = 1024;                        // of one log
constexpr std::int64_t most_logs = 500;

LogMarkRecord log_mark_record(SQLite::Statement& row) {
  const SQLite::Column hashes = row.getColumn(3);
  return {
      loaded(row.getColumn(0)), loaded(row.getColumn(1)), loaded(row.getColumn(2)),
      std::string(static_cast<const char*>(hashes.getBlob()), static_cast<std::size_t>(hashes.getBytes()))};
}

void insert_mark(SQLite::Database& database, std::int64_t log_id, const LogMarkRecord& mark) {
  SQLite::Statement insert(database,
                           "INSERT INTO log_mark (log_id, begin_offset, end_offset, tail_hash, line_hashes) "
                           "VALUES (?, ?, ?, ?, ?)");
  insert.bind(1, log_id);
  insert.bind(2, stored(mark.begin_offset));
  insert.bind(3, stored(mark.end_offset));
  insert.bind(4, stored(mark.tail_hash));
  if (!mark.line_hashes.empty()) {
    insert.bindNoCopy(5, mark.line_hashes.data(), static_cast<int>(mark.line_hashes.size()));
  }
  insert.exec();
}

// The last mark of the log grows, where a few lines follow it.
bool join_last_mark(SQLite::Database& database, std::int64_t log_id, const LogMarkRecord& mark) {
  SQLite::Statement last(database,
                         "SELECT begin_offset, end_offset, tail_hash, line_hashes FROM log_mark "
                         "WHERE log_id = ? ORDER BY begin_offset DESC LIMIT 1");
  last.bind(1, log_id);
  if (!last.executeStep()) return false;
  LogMarkRecord joined = log_mark_record(last);
  const bool fits = joined.end_offset == mark.begin_offset && !joined.line_hashes.empty() &&
                    !mark.line_hashes.empty() && mark.end_offset - joined.begin_offset <= joined_bytes;
  if (!fits) return false;
  joined.line_hashes += mark.line_hashes;
  SQLite::Statement update(
      database, "UPDATE log_mark SET end_offset = ?, line_hashes = ? WHERE log_id = ? AND begin_offset = ?");
  update.bind(1, stored(mark.end_offset));
  update.bindNoCopy(2, joined.line_hashes.data(), static_cast<int>(joined.line_hashes.size()));
  update.bind(3, log_id);
  update.bind(4, stored(joined.begin_offset));
  update.exec();
  return true;
}

int forget_line_hashes(SQLite::Database& database, std::int64_t log_id, std::uint64_t before) {
  SQLite::Statement forget(
      database,
      "UPDATE log_mark SET line_hashes = NULL "
      "WHERE log_id = ? AND end_offset <= ? AND begin_offset > 0 AND line_hashes IS NOT NULL");
  forget.bind(1, log_id);
  forget.bind(2, stored(before));
  return forget.exec();
}

// Every second one goes; the first stays.
void thin_out(SQLite::Database& database, std::int64_t log_id) {
  SQLite::Statement count(database, "SELECT count(*) FROM log_mark WHERE log_id = ?");
  count.bind(1, log_id);
  count.executeStep();
  if (count.getColumn(0).getInt64() <= most_marks) return;
  SQLite::Statement thin(
      database,
      "DELETE FROM log_mark WHERE line_hashes IS NULL AND id IN (SELECT id FROM (SELECT id, "
      "row_number() OVER (ORDER BY begin_offset) AS place FROM log_mark WHERE log_id = ?) "
      "WHERE place % 2 = 0)");
  thin.bind(1, log_id);
  thin.exec();
}

}  // namespace

void add_log_marks(SQLite::Database& database, std::int64_t log_id, const std::vector<LogMarkRecord>& marks) {
  if (marks.empty()) return;
  for (const LogMarkRecord& mark : marks) {
    const bool joined = &mark == &marks.front() && join_last_mark(database, log_id, mark);
    if (!joined) insert_mark(database, log_id, mark);
  }
  const std::uint64_t end = marks.back().end_offset;
  const int forgotten = end > hashed_bytes ? forget_line_hashes(database, log_id, end - hashed_bytes) : 0;
  if (forgotten > 0 || marks.size() > 1) thin_out(database, log_id);
}

void drop_old_log_marks(SQLite::Database& database) {
  SQLite::Statement drop(database,
                         "DELETE FROM log_mark WHERE log_id IN "
                         "(SELECT id FROM log ORDER BY last_mined_at DESC, id DESC LIMIT -1 OFFSET ?)");
  drop.bind(1, most_logs);
  drop.exec();
}

std::vector<LogMarkRecord> read_log_marks(SQLite::Database& database, std::int64_t log_id) {
  std::vector<LogMarkRecord> marks;
  SQLite::Statement rows(database,
                         "SELECT begin_offset, end_offset, tail_hash, line_hashes FROM log_mark "
                         "WHERE log_id = ? ORDER BY begin_offset");
  rows.bind(1, log_id);
  while (rows.executeStep()) marks.push_back(log_mark_record(rows));
  return marks;
}

}  // namespace qdedup::db
