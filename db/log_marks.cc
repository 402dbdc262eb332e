#include "db/log_marks.h"

#include <map>

#include "db/database.h"
#include "db/evidence.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

constexpr std::uint64_t joined_bytes = std::uint64_t{1} << 16U;  // per mark, at most
constexpr std::int64_t most_marks = 1024;                        // per log
constexpr std::int64_t most_logs = 500;

LogMarkRecord log_mark_record(SQLite::Statement& row) {
  return {loaded(row.getColumn(0)), loaded(row.getColumn(1)), loaded(row.getColumn(2)),
          std::string(blob_view(row.getColumn(3)))};
}

void insert_mark(SQLite::Database& database, std::int64_t log_id, const LogMarkRecord& mark) {
  const Blob hashes{mark.line_hashes.empty() ? std::string_view() : std::string_view(mark.line_hashes)};
  run(database,
      "INSERT INTO log_mark (log_id, begin_offset, end_offset, tail_hash, line_hashes) "
      "VALUES (?, ?, ?, ?, ?)",
      log_id, mark.begin_offset, mark.end_offset, mark.tail_hash, hashes);
}

// Extends the log's last mark if only a few lines follow it.
bool join_last_mark(SQLite::Database& database, std::int64_t log_id, const LogMarkRecord& mark) {
  SQLite::Statement last(database,
                         "SELECT begin_offset, end_offset, tail_hash, line_hashes FROM log_mark "
                         "WHERE log_id = ? ORDER BY begin_offset DESC LIMIT 1");
  bind_all(last, log_id);
  if (!last.executeStep()) return false;
  LogMarkRecord joined = log_mark_record(last);
  const bool fits = joined.end_offset == mark.begin_offset && !joined.line_hashes.empty() &&
                    !mark.line_hashes.empty() && mark.end_offset - joined.begin_offset <= joined_bytes;
  if (!fits) return false;
  joined.line_hashes += mark.line_hashes;
  run(database, "UPDATE log_mark SET end_offset = ?, line_hashes = ? WHERE log_id = ? AND begin_offset = ?",
      mark.end_offset, Blob{joined.line_hashes}, log_id, joined.begin_offset);
  return true;
}

int forget_line_hashes(SQLite::Database& database, std::int64_t log_id, std::uint64_t before) {
  return run(database,
             "UPDATE log_mark SET line_hashes = NULL "
             "WHERE log_id = ? AND end_offset <= ? AND begin_offset > 0 AND line_hashes IS NOT NULL",
             log_id, before);
}

// Drops every second mark and keeps the first.
void thin_out(SQLite::Database& database, std::int64_t log_id) {
  SQLite::Statement count(database, "SELECT count(*) FROM log_mark WHERE log_id = ?");
  bind_all(count, log_id);
  count.executeStep();
  if (count.getColumn(0).getInt64() <= most_marks) return;
  run(database,
      "DELETE FROM log_mark WHERE line_hashes IS NULL AND id IN (SELECT id FROM (SELECT id, "
      "row_number() OVER (ORDER BY begin_offset) AS place FROM log_mark WHERE log_id = ?) "
      "WHERE place % 2 = 0)",
      log_id);
}

}  // namespace

void add_log_marks(SQLite::Database& database, std::int64_t log_id, const std::vector<LogMarkRecord>& marks) {
  if (marks.empty()) return;
  for (const LogMarkRecord& mark : marks) {
    const bool joined = &mark == &marks.front() && join_last_mark(database, log_id, mark);
    if (!joined) insert_mark(database, log_id, mark);
  }
  const std::uint64_t end = marks.back().end_offset;
  const int forgotten =
      end > hashed_log_bytes ? forget_line_hashes(database, log_id, end - hashed_log_bytes) : 0;
  if (forgotten > 0 || marks.size() > 1) thin_out(database, log_id);
}

void drop_old_log_marks(SQLite::Database& database) {
  run(database,
      "DELETE FROM log_mark WHERE log_id IN (WITH RECURSIVE marked (id) AS "
      "(SELECT min(log_id) FROM log_mark UNION ALL "
      "SELECT (SELECT min(log_id) FROM log_mark WHERE log_id > marked.id) FROM marked WHERE id IS NOT NULL) "
      "SELECT log.id FROM marked JOIN log USING (id) WHERE forgotten_at = '' "
      "ORDER BY last_mined_at DESC, log.id DESC LIMIT -1 OFFSET ?)",
      most_logs - 1);
}

Result<std::vector<LogMarkRecord>> Evidence::marks(std::int64_t log_id) {
  return all_rows(store_, log_mark_record,
                  "SELECT begin_offset, end_offset, tail_hash, line_hashes FROM log_mark "
                  "WHERE log_id = ? ORDER BY begin_offset",
                  log_id);
}

Result<std::map<std::int64_t, std::vector<LogMarkRecord>>> Evidence::first_marks(
    const std::vector<std::int64_t>& log_ids, const LogMarkLimits& limits) {
  return guarded(store_.path(), [&] {
    std::map<std::int64_t, std::vector<LogMarkRecord>> marks;
    SQLite::Statement rows(
        store_.database(),
        "SELECT begin_offset, end_offset, tail_hash, substr(line_hashes, 1, ?) FROM log_mark "
        "WHERE log_id = ? ORDER BY begin_offset LIMIT ?");
    for (const std::int64_t log_id : log_ids) {
      marks[log_id] = rows_in(rows, log_mark_record, limits.hash_bytes, log_id, limits.marks);
    }
    return marks;
  });
}

}  // namespace qdedup::db
