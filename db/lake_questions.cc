#include "db/lake_questions.h"

#include "db/arrived_rows.h"
#include "db/database.h"
#include "db/fingerprints.h"
#include "db/statement.h"

namespace qdedup::db {

Result<std::optional<BankQuestion>> LakeQuestions::find(QuestionId id) {
  return guarded(store_.path(), [&]() -> std::optional<BankQuestion> {
    SQLite::Statement row(
        store_.database(),
        "SELECT id, text, answer, original_text, original_answer FROM lake_question WHERE id = ?");
    bind_all(row, id);
    if (!row.executeStep()) return std::nullopt;
    BankQuestion question = arrived_row(row);
    set_fingerprints(question);
    return question;
  });
}

Result<bool> LakeQuestions::any() {
  return guarded(store_.path(), [&] {
    return store_.database().execAndGet("SELECT EXISTS (SELECT 1 FROM lake_question)").getInt() != 0;
  });
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
