#include "db/named_logs.h"

#include "base/containers.h"
#include "base/suggestion.h"
#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

constexpr const char* is_mined = "forgotten_at = ''";
constexpr const char* is_left_out = "forgotten_at <> ''";
constexpr const char* is_suspect = "(possible_loss = 1 OR possible_twice = 1)";

std::vector<std::int64_t> ids_of(SQLite::Database& database, const std::string& path,
                                 const std::string& condition) {
  SQLite::Statement rows(database, "SELECT id FROM log WHERE path = ? AND " + condition + " ORDER BY id");
  return ids_in(rows, path);
}

std::vector<std::string> paths_with(SQLite::Database& database, const std::string& condition) {
  std::vector<std::string> paths;
  SQLite::Statement rows(database, "SELECT DISTINCT path FROM log WHERE " + condition + " ORDER BY path");
  while (rows.executeStep()) paths.push_back(rows.getColumn(0).getString());
  return paths;
}

// `what` completes "no log of that name".
Error unknown_log(SQLite::Database& database, const std::string& path, const std::string& condition,
                  const char* what) {
  return {ErrorCode::no_input, path + ": no log of that name " + what +
                                   suggestion(path, paths_with(database, condition)) +
                                   "; `qdedup status --logs` lists them"};
}

std::vector<std::int64_t> consuming_iterations(SQLite::Database& database, std::int64_t log_id) {
  SQLite::Statement rows(database,
                         "SELECT DISTINCT iteration_id FROM evidence "
                         "WHERE log_id = ? AND iteration_id IS NOT NULL ORDER BY iteration_id");
  return ids_in(rows, log_id);
}

Error consumed_error(const ForgetReport::Kept& log) {
  const std::size_t others = log.iterations.size() - 1;
  std::string by = "iteration " + std::to_string(log.iterations.front());
  if (others > 0) by += " and " + std::to_string(others) + (others == 1 ? " other" : " others");
  return {ErrorCode::data,
          log.path + ": cannot be forgotten, " + by + " consumed evidence of it; nothing was " +
              "changed. What they list can be rejected (`qdedup review reject --iteration " +
              std::to_string(log.iterations.front()) + "`), and the log be left out of [logs] paths"};
}

// None if nothing was mined of it.
std::optional<ForgottenLog> counts_of(SQLite::Database& database, std::int64_t log_id,
                                      const std::string& path) {
  SQLite::Statement row(
      database,
      "SELECT lines, selected, lines - selected - unselected, first_seen_at, last_mined_at FROM log "
      "WHERE id = ? AND offset > 0");
  bind_all(row, log_id);
  if (!row.executeStep()) return std::nullopt;
  return ForgottenLog{path,
                      loaded(row.getColumn(0)),
                      loaded(row.getColumn(1)),
                      loaded(row.getColumn(2)),
                      row.getColumn(3).getString(),
                      row.getColumn(4).getString()};
}

void take_out(SQLite::Database& database, std::int64_t log_id, const Decider& who) {
  run(database, "DELETE FROM evidence WHERE log_id = ?", log_id);
  run(database, "DELETE FROM rejection WHERE log_id = ?", log_id);
  run(database,
      "UPDATE log SET lines = 0, selected = 0, unselected = 0, nul_bytes = 0, possible_loss = 0, "
      "possible_twice = 0, forgotten_at = ?, forgotten_by = ? WHERE id = ?",
      who.at, display_name(who), log_id);
}

Status forget_name(SQLite::Database& database, const std::string& path, const Decider& who,
                   ForgetReport& report) {
  const std::vector<std::int64_t> ids = ids_of(database, path, is_mined);
  if (ids.empty() && !ids_of(database, path, is_left_out).empty()) {
    return Error{ErrorCode::no_input, path + ": is left out already; `qdedup forget --undo` takes it back"};
  }
  if (ids.empty()) return unknown_log(database, path, is_mined, "is mined");
  bool is_done = false;
  ForgetReport::Kept kept{path, {}};
  for (const std::int64_t id : ids) {
    const std::vector<std::int64_t> iterations = consuming_iterations(database, id);
    kept.iterations.insert(kept.iterations.end(), iterations.begin(), iterations.end());
    const std::optional<ForgottenLog> counts = counts_of(database, id, path);
    if (!iterations.empty() || !counts) continue;
    report.logs.push_back(*counts);
    take_out(database, id, who);
    is_done = true;
  }
  sort_unique(kept.iterations);
  if (!is_done && !kept.iterations.empty()) return consumed_error(kept);
  if (!is_done) {
    return Error{ErrorCode::data, path + ": nothing was mined of it, so it would not be known again; " +
                                      "leave it out of [logs] paths"};
  }
  if (!kept.iterations.empty()) report.kept.push_back(std::move(kept));
  return {};
}

}  // namespace

Result<ForgetReport> NamedLogs::forget(const std::vector<std::string>& paths, const Decider& who,
                                       bool trial) {
  return guarded(store_.path(), [&]() -> Result<ForgetReport> {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    ForgetReport report;
    for (const std::string& path : paths) QDEDUP_TRY(forget_name(database, path, who, report));
    if (!trial) transaction.commit();
    return report;
  });
}

Result<std::uint64_t> NamedLogs::take_back(const std::vector<std::string>& paths) {
  return guarded(store_.path(), [&]() -> Result<std::uint64_t> {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    std::uint64_t count = 0;
    for (const std::string& path : paths) {
      const std::vector<std::int64_t> ids = ids_of(database, path, is_left_out);
      if (ids.empty()) return unknown_log(database, path, is_left_out, "is left out");
      for (const std::int64_t id : ids) {
        run(database, "DELETE FROM log_mark WHERE log_id = ?", id);
        run(database, "DELETE FROM log WHERE id = ?", id);
      }
      count += ids.size();
    }
    transaction.commit();
    return count;
  });
}

Result<std::vector<std::string>> NamedLogs::acknowledge(const std::optional<std::vector<std::string>>& paths,
                                                        const Decider& who) {
  return guarded(store_.path(), [&]() -> Result<std::vector<std::string>> {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    std::vector<std::string> named = paths ? *paths : paths_with(database, is_suspect);
    sort_unique(named);
    for (const std::string& path : named) {
      const int changed = run(database,
                              std::string("UPDATE log SET possible_loss = 0, possible_twice = 0, "
                                          "acknowledged_at = ?, acknowledged_by = ? WHERE path = ? AND ") +
                                  is_suspect,
                              who.at, display_name(who), path);
      if (changed == 0) return unknown_log(database, path, is_suspect, "has a possible loss to acknowledge");
    }
    transaction.commit();
    return named;
  });
}

}  // namespace qdedup::db
