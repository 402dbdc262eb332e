#include "db/lake.h"

#include <string_view>

#include "db/arrived_rows.h"
#include "db/database.h"
#include "db/fingerprints.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

constexpr std::string_view select_questions =
    "SELECT id, text, answer, original_text, original_answer, NULL FROM lake_question ";

}  // namespace

Result<std::vector<LakeLogRecord>> lake_logs(Store& store) {
  const auto log = [](SQLite::Statement& row) {
    return LakeLogRecord{row.getColumn(0).getString(), loaded(row.getColumn(1)), row.getColumn(2).getString(),
                         loaded(row.getColumn(3)),     loaded(row.getColumn(4)), loaded(row.getColumn(5)),
                         loaded(row.getColumn(6))};
  };
  return all_rows(store, log,
                  "SELECT path, bytes, content, lines, selected, unselected, rejected "
                  "FROM lake_log ORDER BY path");
}

Result<std::optional<BankQuestion>> LakeQuestions::find(QuestionId id) {
  const auto question_of = [](SQLite::Statement& row) {
    BankQuestion question = arrived_row(row);
    set_fingerprints(question);
    return question;
  };
  return first_row(store_, question_of, std::string(select_questions) + "WHERE id = ?", id);
}

Result<Cursor<BankQuestion>> LakeQuestions::all() {
  return cursor_of<BankQuestion>(store_, arrived_row, std::string(select_questions) + "ORDER BY id");
}

Status LakeQuestions::update(std::span<const BankQuestion> present, std::span<const QuestionId> gone) {
  return guarded(store_.path(), [&] {
    SQLite::Transaction transaction(store_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    put_lake_questions(store_.database(), present);
    remove_lake_questions(store_.database(), gone);
    transaction.commit();
  });
}

Result<bool> knows_lake(Store& store) {
  return guarded(store.path(), [&] {
    constexpr auto any = "SELECT EXISTS (SELECT 1 FROM lake_log) OR EXISTS (SELECT 1 FROM lake_question)";
    return store.database().execAndGet(any).getInt() != 0;
  });
}

Result<bool> remembers_bank(Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(const bool in_lake, knows_lake(store));
  return guarded(store.path(), [&] {
    const auto any = [&](const char* query) { return store.database().execAndGet(query).getInt() != 0; };
    return any("SELECT EXISTS (SELECT 1 FROM followed_bank WHERE identity <> '')") ||
           (!in_lake && any("SELECT EXISTS (SELECT 1 FROM iteration)"));
  });
}

void add_lake_logs(SQLite::Database& database, std::int64_t iteration, std::span<const LakeLogRecord> logs) {
  SQLite::Statement insert(database,
                           "INSERT INTO lake_log (path, bytes, content, iteration_id, lines, selected, "
                           "unselected, rejected) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const LakeLogRecord& log : logs) {
    run(insert, log.path, log.bytes, log.content, iteration, log.lines, log.selected, log.unselected,
        log.rejected);
  }
}

void put_lake_questions(SQLite::Database& database, std::span<const BankQuestion> questions) {
  SQLite::Statement insert(database,
                           "INSERT OR REPLACE INTO lake_question (id, text, answer, original_text, "
                           "original_answer) VALUES (?, ?, ?, ?, ?)");
  for (const BankQuestion& question : questions) {
    run(insert, question.id, question.text, question.answer, question.original.text,
        question.original.answer);
  }
}

void remove_lake_questions(SQLite::Database& database, std::span<const QuestionId> ids) {
  SQLite::Statement remove(database, "DELETE FROM lake_question WHERE id = ?");
  for (const QuestionId id : ids) run(remove, id);
}

}  // namespace qdedup::db
