#include "db/evidence.h"

#include <utility>

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

LogRecord log_record(SQLite::Statement& row) {
  LogRecord log;
  log.id = row.getColumn(0).getInt64();
  log.path = row.getColumn(1).getString();
  log.device = loaded(row.getColumn(2));
  log.inode = loaded(row.getColumn(3));
  log.offset = loaded(row.getColumn(4));
  log.head_hash = loaded(row.getColumn(5));
  log.tail_hash = loaded(row.getColumn(6));
  log.last_mined_at = row.getColumn(7).getString();
  log.totals.lines = loaded(row.getColumn(8));
  log.totals.selected = loaded(row.getColumn(9));
  log.totals.unselected = loaded(row.getColumn(10));
  log.totals.nul_bytes = loaded(row.getColumn(11));
  log.possible_loss = row.getColumn(12).getInt() != 0;
  log.file_size = loaded(row.getColumn(13));
  log.file_modified_ns = row.getColumn(14).getInt64();
  log.born_ns = row.getColumn(15).getInt64();
  log.possible_twice = row.getColumn(16).getInt() != 0;
  log.first_line = static_cast<std::uint32_t>(loaded(row.getColumn(17)));
  log.forgotten_at = row.getColumn(18).getString();
  log.forgotten_by = row.getColumn(19).getString();
  log.acknowledged_at = row.getColumn(20).getString();
  log.acknowledged_by = row.getColumn(21).getString();
  return log;
}

std::vector<LogRecord> read_logs(SQLite::Database& database) {
  const SQLite::Transaction both_at_one_moment(database);
  std::vector<LogRecord> logs;
  std::map<std::int64_t, std::size_t> position;
  SQLite::Statement rows(database,
                         "SELECT id, path, device, inode, offset, head_hash, tail_hash, last_mined_at, "
                         "lines, selected, unselected, nul_bytes, possible_loss, file_size, "
                         "file_modified_ns, born_ns, possible_twice, first_line, forgotten_at, "
                         "forgotten_by, acknowledged_at, acknowledged_by FROM log ORDER BY id");
  while (rows.executeStep()) {
    position[rows.getColumn(0).getInt64()] = logs.size();
    logs.push_back(log_record(rows));
  }
  SQLite::Statement rejections(database, "SELECT log_id, reason, lines FROM rejection");
  while (rejections.executeStep()) {
    const auto of_log = position.find(rejections.getColumn(0).getInt64());
    if (of_log == position.end()) throw SQLite::Exception("a rejection without its log", SQLITE_CORRUPT);
    LogRecord& log = logs[of_log->second];
    log.totals.rejected[rejections.getColumn(1).getString()] = loaded(rejections.getColumn(2));
  }
  return logs;
}

std::int64_t add_log(SQLite::Database& database, const MinedStretch& stretch, const std::string& now) {
  const LogRecord& log = stretch.log;
  run(database,
      "INSERT INTO log (path, device, inode, offset, head_hash, tail_hash, first_seen_at, "
      "last_mined_at, lines, selected, unselected, nul_bytes, possible_loss) "
      "VALUES (?, ?, ?, ?, 0, 0, ?, ?, 0, 0, 0, 0, ?)",
      log.path, log.device, log.inode, stretch.begin_offset, now, now, log.possible_loss);
  const std::int64_t id = database.getLastInsertRowid();
  drop_old_log_marks(database);
  return id;
}

// Whether the log is still as whoever mined the stretch knew it.
bool may_append(SQLite::Database& database, std::int64_t log_id, const MinedStretch& stretch) {
  SQLite::Statement row(database, "SELECT offset, forgotten_at <> '' FROM log WHERE id = ?");
  bind_all(row, log_id);
  if (!row.executeStep()) return false;
  const bool is_forgotten = row.getColumn(1).getInt() != 0;
  return loaded(row.getColumn(0)) == stretch.begin_offset && (stretch.totals.lines == 0 || !is_forgotten);
}

void update_log(SQLite::Database& database, std::int64_t id, const MinedStretch& stretch,
                const std::string& now) {
  run(database,
      "UPDATE log SET path = ?, device = ?, inode = ?, offset = ?, head_hash = ?, tail_hash = ?, "
      "last_mined_at = iif(offset = ?, last_mined_at, ?), lines = lines + ?, selected = selected + ?, "
      "unselected = unselected + ?, nul_bytes = nul_bytes + ?, file_size = ?, file_modified_ns = ?, "
      "possible_loss = max(possible_loss, ?), born_ns = ?, possible_twice = max(possible_twice, ?), "
      "first_line = ? WHERE id = ?",
      stretch.log.path, stretch.log.device, stretch.log.inode, stretch.log.offset, stretch.log.head_hash,
      stretch.log.tail_hash, stretch.log.offset, now, stretch.totals.lines, stretch.totals.selected,
      stretch.totals.unselected, stretch.totals.nul_bytes, stretch.log.file_size,
      stretch.log.file_modified_ns, stretch.log.possible_loss, stretch.log.born_ns,
      stretch.log.possible_twice, stretch.log.first_line, id);
}

void add_rejections(SQLite::Database& database, std::int64_t log_id, const LineTotals& totals) {
  SQLite::Statement upsert(database,
                           "INSERT INTO rejection (log_id, reason, lines) VALUES (?, ?, ?) "
                           "ON CONFLICT (log_id, reason) DO UPDATE SET lines = lines + excluded.lines");
  for (const auto& [reason, lines] : totals.rejected) {
    run(upsert, log_id, reason, lines);
  }
}

// When a row is folded into what follows it. Small ones always are, and others once what follows is not much
// less: so a row is not copied again for each few bytes.
constexpr std::uint64_t small_chunk = std::uint64_t{8} << 10U;
constexpr std::uint64_t full_chunk = std::uint64_t{512} << 10U;
constexpr std::uint64_t most_times = 8;

bool is_folded(std::uint64_t older, std::uint64_t newer) {
  return older + newer <= full_chunk && (older <= small_chunk || older <= most_times * newer);
}

// A row of evidence to be.
struct EvidenceRow {
  std::uint64_t begin_offset = 0;
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
  std::uint64_t unselected = 0;
  std::uint64_t rejected = 0;
  std::string lists;
};

// Puts the log's last rows before `row` into it, as far as they are folded, and returns their ids, newest
// first. A damaged one stays as it is, for whoever reads it to report.
std::vector<std::int64_t> fold_last_rows(SQLite::Database& database, std::int64_t log_id,
                                         const MinedStretch& stretch, EvidenceRow& row) {
  std::vector<std::int64_t> folded;
  SQLite::Statement last(database,
                         "SELECT id, begin_offset, end_offset, lines, selected, unselected, rejected, "
                         "length(lists) FROM evidence WHERE log_id = ? AND iteration_id IS NULL "
                         "AND id > (SELECT last_id FROM evidence_read) "
                         "AND min_top_score = ? AND min_score = ? ORDER BY id DESC");
  SQLite::Statement lists(database, "SELECT lists FROM evidence WHERE id = ?");
  bind_all(last, log_id, stretch.min_top_score, stretch.min_score);
  while (last.executeStep()) {
    const bool is_next = loaded(last.getColumn(2)) == row.begin_offset;
    if (!is_next || !is_folded(loaded(last.getColumn(7)), row.lists.size())) break;
    const std::int64_t id = last.getColumn(0).getInt64();
    bind_all(lists, id);
    lists.executeStep();
    Result<std::string> joined = stretch.join(blob_view(lists.getColumn(0)), row.lists);
    if (!joined.ok()) break;
    folded.push_back(id);
    row.begin_offset = loaded(last.getColumn(1));
    row.lines += loaded(last.getColumn(3));
    row.selected += loaded(last.getColumn(4));
    row.unselected += loaded(last.getColumn(5));
    row.rejected += loaded(last.getColumn(6));
    row.lists = *std::move(joined);
  }
  return folded;
}

void add_evidence(SQLite::Database& database, std::int64_t log_id, const MinedStretch& stretch,
                  const std::string& now) {
  EvidenceRow row{stretch.begin_offset,
                  stretch.totals.lines,
                  stretch.totals.selected,
                  stretch.totals.unselected,
                  stretch.totals.rejected_total(),
                  stretch.lists};
  std::vector<std::int64_t> folded;
  if (stretch.join) folded = fold_last_rows(database, log_id, stretch, row);
  if (folded.empty()) {
    run(database,
        "INSERT INTO evidence (log_id, begin_offset, end_offset, mined_at, min_top_score, min_score, "
        "lines, selected, unselected, rejected, lists) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        log_id, row.begin_offset, stretch.log.offset, now, stretch.min_top_score, stretch.min_score,
        row.lines, row.selected, row.unselected, row.rejected, Blob{row.lists});
    return;
  }
  run(database,
      "UPDATE evidence SET end_offset = ?, mined_at = iif(selected > 0, mined_at, ?), lines = ?, "
      "selected = ?, unselected = ?, rejected = ?, lists = ? WHERE id = ?",
      stretch.log.offset, now, row.lines, row.selected, row.unselected, row.rejected, Blob{row.lists},
      folded.back());
  folded.pop_back();
  for (const std::int64_t id : folded) run(database, "DELETE FROM evidence WHERE id = ?", id);
}

void add_scores(SQLite::Database& database, const std::vector<ScoreCount>& scores) {
  SQLite::Statement upsert(database,
                           "INSERT INTO score (bucket, lists, pairs) VALUES (?, ?, ?) ON CONFLICT (bucket) "
                           "DO UPDATE SET lists = lists + excluded.lists, pairs = pairs + excluded.pairs");
  for (const ScoreCount& score : scores) {
    run(upsert, score.bucket, score.lists, score.pairs);
  }
}

UnconsumedEvidence read_unconsumed(SQLite::Database& database) {
  SQLite::Statement sums(
      database,
      "SELECT coalesce(max(id), 0), coalesce(sum(lines), 0), coalesce(sum(selected), 0), "
      "coalesce(sum(unselected), 0), coalesce(sum(rejected), 0), coalesce(sum(length(lists)), 0), "
      "coalesce(min(mined_at) FILTER (WHERE selected > 0), '') "
      "FROM evidence WHERE iteration_id IS NULL");
  sums.executeStep();
  return {sums.getColumn(0).getInt64(), loaded(sums.getColumn(1)), loaded(sums.getColumn(2)),
          loaded(sums.getColumn(3)),    loaded(sums.getColumn(4)), loaded(sums.getColumn(5)),
          sums.getColumn(6).getString()};
}

// Passes the chunks of these rows to `take` until a call returns false or fails.
template <class... Values>
Status for_each_chunk(Store& store, const std::function<Result<bool>(std::string_view chunk)>& take,
                      const std::string& sql, const Values&... values) {
  return guarded(store.path(), [&]() -> Status {
    SQLite::Statement rows(store.database(), sql);
    bind_all(rows, values...);
    while (rows.executeStep()) {
      Result<bool> goes_on = take(blob_view(rows.getColumn(1)));
      if (!goes_on.ok()) {
        return std::move(goes_on).error().within(store.path() + ": evidence " +
                                                 rows.getColumn(0).getString());
      }
      if (!*goes_on) break;
    }
    return {};
  });
}

}  // namespace

Result<std::vector<LogRecord>> Evidence::logs() {
  return guarded(store_.path(), [&] { return read_logs(store_.database()); });
}

Result<std::int64_t> Evidence::append(const MinedStretch& stretch, const std::string& mined_at) {
  return guarded(store_.path(), [&]() -> Result<std::int64_t> {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const std::int64_t log_id = stretch.log.id != 0 ? stretch.log.id : add_log(database, stretch, mined_at);
    if (!may_append(database, log_id, stretch)) {
      return Error{ErrorCode::busy, stretch.log.path + ": was mined or forgotten by somebody else meanwhile"};
    }
    update_log(database, log_id, stretch, mined_at);
    if (stretch.totals.lines > 0) {
      add_rejections(database, log_id, stretch.totals);
      add_evidence(database, log_id, stretch, mined_at);
      add_scores(database, stretch.scores);
      add_log_marks(database, log_id, stretch.marks);
    }
    transaction.commit();
    return log_id;
  });
}

Status Evidence::rename(const std::vector<LogRecord>& logs) {
  return guarded(store_.path(), [&]() -> Status {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement update(database, "UPDATE log SET path = ? WHERE id = ?");
    for (const LogRecord& log : logs) run(update, log.path, log.id);
    transaction.commit();
    return {};
  });
}

Result<UnconsumedEvidence> Evidence::unconsumed() {
  return guarded(store_.path(), [&] { return read_unconsumed(store_.database()); });
}

Result<UnconsumedEvidence> Evidence::hold_unconsumed() {
  return guarded(store_.path(), [&] {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    UnconsumedEvidence held = read_unconsumed(database);
    run(database, "UPDATE evidence_read SET last_id = ?1 WHERE last_id < ?1", held.last_id);
    transaction.commit();
    return held;
  });
}

Result<std::vector<ScoreCount>> Evidence::scores(std::size_t buckets) {
  const auto score = [buckets](SQLite::Statement& row) {
    const std::uint64_t bucket = loaded(row.getColumn(0));
    if (bucket >= buckets) throw SQLite::Exception("score: there is no such bucket", SQLITE_CORRUPT);
    return ScoreCount{bucket, loaded(row.getColumn(1)), loaded(row.getColumn(2))};
  };
  return all_rows(store_, score, "SELECT bucket, lists, pairs FROM score ORDER BY bucket");
}

Status Evidence::for_each_unconsumed(std::int64_t last_id,
                                     const std::function<Status(std::string_view chunk)>& take) {
  const auto take_all = [&](std::string_view chunk) -> Result<bool> {
    QDEDUP_TRY(take(chunk));
    return true;
  };
  return for_each_chunk(store_, take_all,
                        "SELECT id, lists FROM evidence WHERE iteration_id IS NULL AND id <= ? ORDER BY id",
                        last_id);
}

Status Evidence::for_each_kept(const std::function<Result<bool>(std::string_view chunk)>& take) {
  return for_each_chunk(store_, take,
                        "SELECT id, lists FROM evidence WHERE lists IS NOT NULL ORDER BY id DESC");
}

}  // namespace qdedup::db
