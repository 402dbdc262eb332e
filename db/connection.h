#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/result.h"
#include "db/activity.h"
#include "db/state_folder.h"

namespace qdedup::db {

// How long a connection waits for the lock of another.
inline constexpr int busy_timeout_ms = 10'000;

// What a database file of ours is made of. Step i takes the schema from version i to i + 1; steps are never
// edited once released, only added.
struct Schema {
  int application_id;
  std::span<const char* const> steps;
  std::string_view when_damaged;  // what the operator does then, for error messages

  [[nodiscard]] int version() const { return static_cast<int>(steps.size()); }
};

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

// Opens the database at `path`: WAL, synchronous=FULL, waiting at most 10 s for a lock. With read_write an
// older schema is migrated, each step in a transaction of its own, and a missing file is made, whole or not
// at all. An empty, foreign, cut or newer file is refused and left as it is. One connection writes; all
// others are read-only. A connection serves one thread at a time.
Result<SQLite::Database> open_database(const std::string& path, const Schema& schema, Access access);

// `told` must outlive the connection.
void report_activity(SQLite::Database& database, OnActivity* told);

}  // namespace qdedup::db
