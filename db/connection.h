#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/result.h"
#include "db/activity.h"
#include "db/checked_vfs.h"
#include "db/database_files.h"
#include "db/state_folder.h"
#include "db/write_permission.h"

namespace qdedup::db {

// How long a connection waits for the lock of another.
inline constexpr int busy_timeout_ms = 10'000;

// What a database file of ours is made of. Step i takes the schema from version `first_version` + i to the
// next; steps are never edited once released, only added.
struct Schema {
  int application_id;
  int first_version;       // earlier ones are refused
  const char* definition;  // of the first version
  std::span<const char* const> steps = {};

  [[nodiscard]] int version() const { return first_version + static_cast<int>(steps.size()); }
};

// What the operator does about a damaged database, for error messages.
std::string_view how_to_mend(std::string_view path);

// Whether there is such a file; an error where that cannot be found out, as a database is made where there is
// none.
Result<bool> is_there(const std::string& path);

// Before anything is written to a new database.
void make_room_for_checksums(SQLite::Database& database);

// The page damage that an exception of the library is about; nothing for one that is about anything else.
std::optional<std::string> damage_in(const SQLite::Exception& exception);

// The Error that stands for an exception of the library.
Error sqlite_error(std::string_view subject, const SQLite::Exception& exception);

template <class T>
struct ResultOf {
  using Type = Result<T>;
};
template <class T>
struct ResultOf<Result<T>> {
  using Type = Result<T>;
};

// Runs `function`, which answers a value or a Result, and turns exceptions of the library into errors.
template <class Function>
auto guarded(std::string_view subject, Function&& function) ->
    typename ResultOf<std::invoke_result_t<Function>>::Type {
  (void)take_damage();  // SQLite gets over some errors, so this may be of anything done before
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
      std::forward<Function>(function)();
      return {};
    } else {
      return std::forward<Function>(function)();
    }
  } catch (const SQLite::Exception& exception) {
    return sqlite_error(subject, exception);
  }
}

// The same for what writes the bank, in its turn.
template <class Bank, class Function>
auto in_turn(Bank& bank, Function&& function) -> typename ResultOf<std::invoke_result_t<Function>>::Type {
  const Result<std::shared_ptr<void>> turn = bank.take_turn();
  if (!turn.ok()) return turn.error();
  return guarded(bank.path(), std::forward<Function>(function));
}

// Opens a file as it is. Follows no link to it; those on the way to its folder are the user's own.
SQLite::Database connect(const std::string& path, int flags);

// Opens the database at `path`: WAL, synchronous=FULL, checksums (db/checked_vfs.h), waiting at most 10 s for
// a lock. With read_write an older schema is migrated, each step in a transaction of its own, and a missing
// file is made, whole or not at all. What is empty, foreign, cut, newer or too old is refused and left as it
// is. One connection writes; all others are read-only. A connection serves one thread at a time.
Result<SQLite::Database> open_database(const std::string& path, const Schema& schema, Access access);

// What goes along with an open connection, and must outlive it. Asked before each commit.
struct ConnectionWatch {
  std::string path;
  OnActivity told;                              // what it tells of its work
  std::optional<DatabaseFiles> files;           // of one that writes: they must stand where they stood
  std::shared_ptr<WritePermission> permission;  // where one is needed: it must stand

  [[nodiscard]] Status allow_commit() const;
};

// Makes the watch of a connection that open_database() has opened.
std::unique_ptr<ConnectionWatch> watch(SQLite::Database& database, const std::string& path, Access access);

// From now on its activity is told.
void report_activity(SQLite::Database& database, ConnectionWatch& watch, OnActivity told);

// What the first page of a database says of itself (SQLite file format, 1.3).
struct FileHeader {
  std::uint32_t page_count;
  int version;
  int application_id;
  bool has_checksums;
  bool in_wal_mode;
};

// Nothing when the file does not begin like a database. Reads through the connection: a descriptor of our
// own, closed, would drop the locks of all connections of this process (POSIX).
std::optional<FileHeader> read_header(SQLite::Database& database);

}  // namespace qdedup::db
