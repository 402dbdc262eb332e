#include "db/fingerprints.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "db/database.h"
#include "db/sketches.h"
#include "db/statement.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::db {
namespace {

// Whether most sketches that the bank keeps are outdated, and too many to be read each time.
Result<bool> is_crowded(Bank& bank) {
  constexpr std::uint64_t few = 1'000'000;
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t entries, Sketches(bank).entries());
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  return entries > 2 * questions + few;
}

// Computes the fingerprints of the next questions after `last_id`, which moves on. Returns how many; 0 at the
// end.
std::size_t refresh_batch(SQLite::Database& database, QuestionId& last_id) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  SQLite::Statement rows(database,
                         "SELECT id, text, signs FROM question WHERE id > ? ORDER BY id LIMIT 10000");
  SQLite::Statement update(database, "UPDATE question SET signs = ? WHERE id = ?");
  bind_all(rows, last_id);
  std::vector<SketchEntry> sketches;
  while (rows.executeStep()) {
    last_id = rows.getColumn(0).getInt64();
    const BankQuestion question = bank_question(last_id, rows.getColumn(1).getString(), std::nullopt);
    sketches.push_back(sketch_entry(question));
    if (question.sign_fingerprint == loaded(rows.getColumn(2))) continue;
    run(update, question.sign_fingerprint, question.id);
  }
  add_run(database, sketches);
  transaction.commit();
  return sketches.size();
}

}  // namespace

void set_fingerprints(BankQuestion& question) {
  set_fingerprints(question, refine::DecodedText(question.text));
}

void set_fingerprints(BankQuestion& question, const refine::DecodedText& text) {
  const refine::Parts parts = refine::parts_of(text.code_points());
  question.sign_fingerprint = refine::sign_fingerprint(parts);
  question.sketch = refine::sketch_of(parts);
}

BankQuestion bank_question(QuestionId id, std::string text, std::optional<std::string> answer) {
  BankQuestion question;
  question.id = id;
  question.text = std::move(text);
  question.answer = std::move(answer);
  set_fingerprints(question);
  return question;
}

Status refresh_fingerprints(Bank& bank, const std::string& version,
                            const std::function<void(std::uint64_t)>& so_far) {
  QDEDUP_TRY(in_turn(bank, [&] {
    bank.database().exec(
        "BEGIN IMMEDIATE; DELETE FROM meta WHERE name = 'fingerprint_version'; DELETE FROM sketch_run; "
        "COMMIT");
  }));
  QuestionId last_id = 0;
  std::uint64_t done = 0;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t batch,
                            in_turn(bank, [&] { return refresh_batch(bank.database(), last_id); }));
    if (batch == 0) break;
    done += batch;
    if (bank.on_activity()) bank.on_activity()(Activity::step);  // its statements are too short to report
    so_far(done);
  }
  return in_turn(bank, [&] {
    run(bank.database(), "INSERT INTO meta (name, value) VALUES ('fingerprint_version', ?)", version);
  });
}

Status bring_fingerprints_up_to_date(Bank& bank, const Progress& progress) {
  const std::string version = refine::sign_rules_version();
  QDEDUP_ASSIGN_OR_RETURN(const std::string stored_version, bank.fingerprint_version());
  QDEDUP_ASSIGN_OR_RETURN(const bool crowded, is_crowded(bank));
  if (stored_version == version && !crowded) return {};
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  return refresh_fingerprints(
      bank, version, [&](std::uint64_t done) { progress("fingerprints", done, questions, "questions"); });
}

}  // namespace qdedup::db
