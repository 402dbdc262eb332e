#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/result.h"
#include "db/checked_vfs.h"
#include "db/connection.h"
#include "db/statement.h"
#include "db/store.h"

struct sqlite3_file;

namespace qdedup::db {

// What one of our database files consists of. Step i upgrades the schema from version `first_version` + i to
// the next one. Released steps are never edited; new ones are added.
struct Schema {
  int application_id;
  int first_version;       // earlier ones are refused
  const char* definition;  // of the first version
  std::span<const char* const> steps = {};

  [[nodiscard]] int version() const { return first_version + static_cast<int>(steps.size()); }
};

// What the operator should do about a damaged database, for error messages.
std::string_view how_to_mend(std::string_view path);

// Whether the file exists; an error if that cannot be determined, because a missing database gets created.
Result<bool> is_there(const std::string& path);

// Opens an empty file to create a database in it, with room for checksums. Touches nothing beside it
// (draft_vfs()); a power loss may leave half of it.
SQLite::Database connect_draft(const std::string& path);

// To be called after the last commit: writes to the header whether there is a write-ahead log, and syncs the
// file. The connection must not be used afterwards.
void finish_draft(SQLite::Database& draft, bool in_wal_mode);

// The page damage that an exception of the library reports; none if it is about anything else.
std::optional<std::string> damage_in(const SQLite::Exception& exception);

// Converts an exception of the library into an Error.
Error sqlite_error(std::string_view subject, const SQLite::Exception& exception);

template <class T>
struct ResultOf {
  using Type = Result<T>;
};
template <class T>
struct ResultOf<Result<T>> {
  using Type = Result<T>;
};

// Calls `function`, which returns a value or a Result, and turns exceptions of the library into errors.
template <class Function>
auto guarded(std::string_view subject, Function&& function) ->
    typename ResultOf<std::invoke_result_t<Function>>::Type {
  (void)take_damage();  // SQLite recovers from some errors, so this may be left from earlier calls
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
      std::forward<Function>(function)();
      return {};
    } else {
      return std::forward<Function>(function)();
    }
  } catch (const SQLite::Exception& exception) {
    return sqlite_error(subject, exception);
  } catch (const std::logic_error& error) {  // rows that no qdedup writes must not end the daemon
    return Error{ErrorCode::internal, std::string(subject) + ": " + error.what()};
  }
}

// The same, during a turn of the connection's permission.
template <class Function>
auto in_turn(Connection& connection, Function&& function) ->
    typename ResultOf<std::invoke_result_t<Function>>::Type {
  QDEDUP_ASSIGN_OR_RETURN(const std::shared_ptr<void> turn, connection.take_turn());
  return guarded(connection.path(), std::forward<Function>(function));
}

// All rows of a query with these values, each read by `row_of`; and the first, if there is one.
template <class RowOf, class... Values>
auto all_rows(Connection& connection, const RowOf& row_of, const std::string& sql, const Values&... values) {
  return guarded(connection.path(), [&] {
    SQLite::Statement rows(connection.database(), sql);
    return rows_in(rows, row_of, values...);
  });
}
template <class RowOf, class... Values>
auto first_row(Connection& connection, const RowOf& row_of, const std::string& sql, const Values&... values) {
  return guarded(connection.path(), [&] {
    SQLite::Statement row(connection.database(), sql);
    bind_all(row, values...);
    return row.executeStep() ? std::optional(row_of(row)) : std::nullopt;
  });
}

// The number that a query of one row gives.
template <class... Values>
Result<std::uint64_t> count_in(Connection& connection, const std::string& sql, const Values&... values) {
  return guarded(connection.path(), [&] {
    SQLite::Statement row(connection.database(), sql);
    bind_all(row, values...);
    row.executeStep();
    return loaded(row.getColumn(0));
  });
}

// The rows of a query, each read by `row_of`.
template <class Row>
Cursor<Row> cursor_of(Store& store, std::shared_ptr<SQLite::Statement> rows,
                      Row (*row_of)(SQLite::Statement&)) {
  return Cursor<Row>([path = store.path(), rows = std::move(rows), row_of] {
    return guarded(path, [&]() -> std::optional<Row> {
      if (!rows->executeStep()) return std::nullopt;
      return row_of(*rows);
    });
  });
}

// The same for a query with these values.
template <class Row, class... Values>
Result<Cursor<Row>> cursor_of(Store& store, Row (*row_of)(SQLite::Statement&), const std::string& sql,
                              const Values&... values) {
  return guarded(store.path(), [&] {
    auto rows = std::make_shared<SQLite::Statement>(store.database(), sql);
    bind_all(*rows, values...);
    return cursor_of(store, std::move(rows), row_of);
  });
}

// Opens a file as it is. Follows no link to it; links in the path of its folder are the user's own.
SQLite::Database connect(const std::string& path, int flags, const char* vfs = checked_vfs());

// An error if the database is another program's, of another version, or has objects that qdedup does not
// make.
Status check_schema(SQLite::Database& database, const std::string& path, const Schema& schema, Access access);

// No value of ours is larger, and no row: SQLite refuses both. What grows with the bank is kept in several
// rows.
inline constexpr int largest_row = 128 * 1024 * 1024;

// Opens the database at `path`: WAL, synchronous=FULL, checksums (db/checked_vfs.h), waiting at most 10 s for
// a lock. With read_write, an older schema is migrated, each step in its own transaction, and a missing file
// is created, completely or not at all. A file that is empty, foreign, truncated, too new or too old is
// refused and left unchanged. One connection writes; all others are read-only. Connections are not
// thread-safe.
Result<SQLite::Database> open_database(const std::string& path, const Schema& schema, Access access);

// Fields of the first page of a database (SQLite file format, 1.3).
struct FileHeader {
  std::uint32_t page_count;
  int version;
  int application_id;
  bool has_checksums;
  bool in_wal_mode;
};

// The main file of a connection, or another of SQLITE_FCNTL_…_POINTER.
sqlite3_file* file_of(SQLite::Database& database, int which);

// None if the file does not begin like a database. Reads through the connection: closing a descriptor of our
// own would drop the locks of all connections of this process (POSIX).
std::optional<FileHeader> read_header(SQLite::Database& database);

// While it lives, the connection caches 64 MiB of its file instead of 2, for millions of rows whose index
// entries are scattered. Throws what the library throws.
class LargeCache {
 public:
  explicit LargeCache(SQLite::Database& database)
      : database_(database), usual_(database.execAndGet("PRAGMA cache_size").getInt()) {
    database_.exec("PRAGMA cache_size = -65536");  // KiB
  }
  LargeCache(const LargeCache&) = delete;
  LargeCache& operator=(const LargeCache&) = delete;
  ~LargeCache() { database_.tryExec("PRAGMA cache_size = " + std::to_string(usual_)); }

 private:
  SQLite::Database& database_;
  int usual_;
};

}  // namespace qdedup::db
