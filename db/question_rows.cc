#include "db/question_rows.h"

#include <cstddef>
#include <string>

#include "db/integer.h"
#include "db/optional_text.h"

namespace qdedup::db {
namespace {

constexpr std::size_t rows_at_once = 50;
constexpr int values_per_row = 4;  // beside the import, which is the first of a statement

std::string insertion(const char* how, std::size_t rows) {
  std::string sql = std::string(how) + " INTO question (import_id, id, signs, text, answer) VALUES ";
  for (std::size_t row = 0; row < rows; ++row) sql += row == 0 ? "(?1, ?, ?, ?, ?)" : ", (?1, ?, ?, ?, ?)";
  return sql;
}

void bind(SQLite::Statement& statement, std::size_t row, const BankQuestion& question) {
  const int before = 1 + values_per_row * static_cast<int>(row);
  statement.bind(before + 1, question.id);
  statement.bind(before + 2, stored(question.sign_fingerprint));
  statement.bindNoCopy(before + 3, question.text);
  bind_optional(statement, before + 4, question.answer);
}

int run(SQLite::Statement& statement, std::span<const BankQuestion> rows, std::int64_t import_id) {
  statement.reset();
  statement.bind(1, import_id);
  for (std::size_t row = 0; row < rows.size(); ++row) bind(statement, row, rows[row]);
  return statement.exec();
}

}  // namespace

QuestionRows::QuestionRows(SQLite::Database& database)
    : next_(database, "SELECT id FROM question WHERE id >= ? ORDER BY id LIMIT 1"),
      add_many_(database, insertion("INSERT", rows_at_once)),
      add_(database, insertion("INSERT", 1) + " ON CONFLICT (id) DO NOTHING"),
      replace_(database, insertion("INSERT OR REPLACE", 1)) {}

bool QuestionRows::any_between(QuestionId first, QuestionId last) {
  next_.reset();
  next_.bind(1, first);
  const bool found = next_.executeStep() && next_.getColumn(0).getInt64() <= last;
  next_.reset();
  return found;
}

void QuestionRows::add(std::span<const BankQuestion> questions, std::int64_t import_id) {
  while (questions.size() >= rows_at_once) {
    run(add_many_, questions.first(rows_at_once), import_id);
    questions = questions.subspan(rows_at_once);
  }
  for (const BankQuestion& question : questions) run(add_, {&question, 1}, import_id);
}

bool QuestionRows::add_if_absent(const BankQuestion& question, std::int64_t import_id) {
  return run(add_, {&question, 1}, import_id) > 0;
}

void QuestionRows::replace(const BankQuestion& question, std::int64_t import_id) {
  run(replace_, {&question, 1}, import_id);
}

}  // namespace qdedup::db
