#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "refine/confidence.h"

namespace qdedup::db {

// The condition for an open deletion (db/deletions.h), for SQL literals: "WHERE d." QDEDUP_OPEN " AND …".
// 'applied', 'approved' and 'pending' come before the others in the order of letters; for a list of three
// SQLite would fill a table each time.
#define QDEDUP_OPEN "status < 'rejected'"

// Of class_member: what hangs on the question ?1. (The two halves have indexes.)
#define QDEDUP_HANGS                                  \
  "((held_by = ?1 AND held_by <> representative) OR " \
  "(representative = ?1 AND held_by = ?1))"

// Of class_member m: no open deletion and no verified pair holds it.
#define QDEDUP_UNHELD                                                                             \
  "NOT EXISTS (SELECT 1 FROM deletion WHERE question_id = m.question_id AND keep_id = m.held_by " \
  "AND " QDEDUP_OPEN                                                                              \
  ") AND NOT EXISTS (SELECT 1 FROM verified_pair WHERE question_id = m.question_id "              \
  "AND keep_id = m.held_by)"

// Converts values of statements to and from C++. All throw SQLite::Exception.

// SQLite's integers are signed, our hashes, inodes and counts are not, so they are stored bit by bit.
inline std::int64_t stored(std::uint64_t value) { return static_cast<std::int64_t>(value); }
inline std::uint64_t loaded(const SQLite::Column& column) {
  return static_cast<std::uint64_t>(column.getInt64());
}

inline std::optional<std::string> optional_text(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getString());
}

inline std::optional<std::int64_t> optional_number(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getInt64());
}

// Bytes and text as views, valid until the next step of the statement.
inline std::string_view blob_view(const SQLite::Column& column) {
  return {static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())};
}
inline std::string_view text_view(const SQLite::Column& column) {
  const char* const text = column.getText();  // before getBytes(), since it may convert the value
  return {text, static_cast<std::size_t>(column.getBytes())};
}

// Converts a name in `column` with `named`, which returns none if the row is damaged.
template <class Value>
Value loaded(const SQLite::Column& column, std::optional<Value> (*named)(std::string_view)) {
  const std::optional<Value> value = named(text_view(column));
  if (!value) throw SQLite::Exception("unknown " + std::string(column.getName()), SQLITE_CORRUPT);
  return *value;
}

inline refine::Risk loaded_risk(const SQLite::Column& column) {
  const std::int64_t value = column.getInt64();
  if (value < 0 || value > refine::Risk::certain)
    throw SQLite::Exception("a risk out of range", SQLITE_CORRUPT);
  return refine::Risk(static_cast<int>(value));
}

// How alike the questions of a pair are, from column `first` on: distance, length, by_sets, confidence,
// reasons and risk.
template <class Pair>
void read_measure(SQLite::Statement& row, int first, Pair& pair) {
  pair.distance = loaded(row.getColumn(first));
  pair.length = loaded(row.getColumn(first + 1));
  pair.by_sets = row.getColumn(first + 2).getInt() != 0;
  pair.confidence = loaded(row.getColumn(first + 3), refine::confidence_named);
  pair.reasons = refine::Reasons(row.getColumn(first + 4).getString());
  pair.risk = loaded_risk(row.getColumn(first + 5));
}

// Bytes for a statement that is run while they live; NULL if data() is null, even if empty.
struct Blob {
  std::string_view bytes;
};

template <std::integral Integer>
void bind_value(SQLite::Statement& statement, int index, Integer value) {
  statement.bind(index, static_cast<std::int64_t>(value));
}
inline void bind_value(SQLite::Statement& statement, int index, double value) {
  statement.bind(index, value);
}
inline void bind_value(SQLite::Statement& statement, int index, std::string_view value) {
  statement.bind(index, std::string(value));
}
inline void bind_value(SQLite::Statement& statement, int index, Blob value) {
  statement.bindNoCopy(index, value.bytes.data(), static_cast<int>(value.bytes.size()));
}
inline void bind_value(SQLite::Statement& statement, int index, refine::Risk value) {
  statement.bind(index, value.ten_thousandths());
}
template <class Enum>
requires std::is_enum_v<Enum>
void bind_value(SQLite::Statement& statement, int index, Enum value) {
  bind_value(statement, index, name(value));
}
template <class Value>
void bind_value(SQLite::Statement& statement, int index, const std::optional<Value>& value) {
  if (value) {
    bind_value(statement, index, *value);
  } else {
    statement.bind(index);
  }
}

// Resets a query and binds these values to its parameters, in order.
template <class... Values>
void bind_all(SQLite::Statement& query, const Values&... values) {
  query.reset();
  [[maybe_unused]] int index = 0;
  (bind_value(query, ++index, values), ...);
}

// Runs a statement that returns no rows, with these values. Returns how many rows it changed.
template <class... Values>
int run(SQLite::Statement& statement, const Values&... values) {
  bind_all(statement, values...);
  const int changed = statement.exec();
  statement.reset();
  return changed;
}
template <class... Values>
int run(SQLite::Database& database, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(database, sql);
  return run(statement, values...);
}

// The rows of a query with these values, each read by `row_of`.
template <class RowOf, class... Values>
auto rows_in(SQLite::Statement& rows, const RowOf& row_of, const Values&... values) {
  bind_all(rows, values...);
  std::vector<std::invoke_result_t<RowOf, SQLite::Statement&>> all;
  while (rows.executeStep()) all.push_back(row_of(rows));
  return all;
}

inline std::int64_t first_number(SQLite::Statement& row) { return row.getColumn(0).getInt64(); }
inline std::string first_text(SQLite::Statement& row) { return row.getColumn(0).getString(); }

template <class... Values>
std::vector<std::int64_t> ids_in(SQLite::Statement& rows, const Values&... values) {
  return rows_in(rows, first_number, values...);
}

// Whether a query has any row, with these values.
template <class... Values>
bool is_any(SQLite::Statement& query, const Values&... values) {
  bind_all(query, values...);
  const bool any = query.executeStep();
  query.reset();  // otherwise its open snapshot would keep the write-ahead log from being reused
  return any;
}

}  // namespace qdedup::db
