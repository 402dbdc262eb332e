#include "db/question_texts.h"

#include <algorithm>
#include <cstdint>

#include "db/connection.h"

namespace qdedup::db {
namespace {

// A look-up costs about as much as so many rows that are passed.
constexpr std::uint64_t rows_per_look_up = 6;

std::string_view view(const SQLite::Column& column) {
  const char* const text = column.getText();
  return {text, static_cast<std::size_t>(column.getBytes())};
}

// Columns 1 and 2 of `row`.
void hand_on(SQLite::Statement& row, std::size_t position, const TakeText& take) {
  const SQLite::Column answer = row.getColumn(2);
  take(position, view(row.getColumn(1)), answer.isNull() ? std::nullopt : std::optional(view(answer)));
}

void look_up(SQLite::Database& database, std::span<const QuestionId> ids, const TakeText& take) {
  SQLite::Statement row(database, "SELECT id, text, answer FROM question WHERE id = ?");
  for (std::size_t position = 0; position < ids.size(); ++position) {
    row.reset();
    row.bind(1, ids[position]);
    if (row.executeStep()) hand_on(row, position, take);
  }
}

void scan(SQLite::Database& database, std::span<const QuestionId> ids, const TakeText& take) {
  SQLite::Statement rows(database,
                         "SELECT id, text, answer FROM question WHERE id BETWEEN ? AND ? ORDER BY id");
  rows.bind(1, ids.front());
  rows.bind(2, ids.back());
  std::size_t position = 0;
  while (rows.executeStep()) {
    const QuestionId id = rows.getColumn(0).getInt64();
    while (position < ids.size() && ids[position] < id) ++position;
    if (position == ids.size()) break;
    if (ids[position] == id) hand_on(rows, position, take);
  }
}

// Whether every sixth row or more is wanted. Tries the ids between some that lie apart: the bank need not be
// counted for that.
bool are_dense(SQLite::Database& database, std::span<const QuestionId> ids) {
  constexpr std::size_t tried = 64;
  SQLite::Statement rows(database,
                         "SELECT count(*) FROM (SELECT 1 FROM question WHERE id BETWEEN ? AND ? LIMIT ?)");
  const std::size_t step = std::max<std::size_t>(ids.size() / tried, 1);
  std::uint64_t wanted = 0;
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i + 1 < ids.size(); i += step) {
    rows.reset();
    rows.bind(1, ids[i]);
    rows.bind(2, ids[i + 1]);
    rows.bind(3, static_cast<std::int64_t>(4 * rows_per_look_up));
    rows.executeStep();
    passed += static_cast<std::uint64_t>(rows.getColumn(0).getInt64());
    ++wanted;
  }
  return passed < wanted * (rows_per_look_up + 1);
}

}  // namespace

Status read_texts(Bank& bank, std::span<const QuestionId> ids, const TakeText& take) {
  if (ids.empty()) return {};
  return guarded(bank.path(), [&] {
    SQLite::Database& database = bank.database();
    const SQLite::Transaction one_moment(database);
    are_dense(database, ids) ? scan(database, ids, take) : look_up(database, ids, take);
  });
}

}  // namespace qdedup::db
