#include "db/fingerprints.h"

#include <cstddef>
#include <sstream>
#include <utility>

#include "db/bank_import.h"
#include "db/database.h"
#include "db/sketches.h"
#include "db/statement.h"
#include "markup/compared.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::db {
namespace {

// Whether most sketches in the bank are outdated, and too many to be read each time.
Result<bool> is_crowded(Bank& bank) {
  constexpr std::uint64_t few = 1'000'000;
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t entries, Sketches(bank).entries());
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  return entries > 2 * questions + few;
}

// A question as it was imported.
BankQuestion imported_question(SQLite::Statement& row) {
  BankQuestion question;
  question.id = row.getColumn(0).getInt64();
  question.text = row.getColumn(1).getString();
  question.answer = optional_text(row.getColumn(2));
  question.original = original_of(row, 4);
  if (question.original.text) question.text = *std::exchange(question.original.text, std::nullopt);
  if (question.original.answer) question.answer = std::exchange(question.original.answer, std::nullopt);
  return question;
}

// Extracts the texts of a range of questions again.
class TextRefresh {
 public:
  TextRefresh(SQLite::Database& database, const markup::Options& options)
      : database_(database), options_(options) {}

  // Handles the next questions after `last_id`, which it advances. Returns how many; 0 at the end.
  std::size_t refresh_batch(QuestionId& last_id) {
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement rows(database_,
                           "SELECT id, question.text, question.answer, signs, original.text, "
                           "original.answer, images FROM question LEFT JOIN original USING (id) "
                           "WHERE id > ? ORDER BY id LIMIT 10000");
    bind_all(rows, last_id);
    std::vector<SketchEntry> sketches;
    while (rows.executeStep()) {
      BankQuestion question = imported_question(rows);
      last_id = question.id;
      db::extract(question, options_);
      set_fingerprints(question);
      sketches.push_back(sketch_entry(question));
      store(question, rows);
    }
    add_characters(database_, tally_.take());
    add_run(database_, sketches);
    transaction.commit();
    return sketches.size();
  }

 private:
  // Stores what has changed.
  void store(const BankQuestion& question, SQLite::Statement& row) {
    const std::string old_text = row.getColumn(1).getString();
    const bool same_text = old_text == question.text && optional_text(row.getColumn(2)) == question.answer;
    if (!same_text || question.sign_fingerprint != loaded(row.getColumn(3))) {
      run(database_, "UPDATE question SET text = ?, answer = ?, signs = ? WHERE id = ?", question.text,
          question.answer, question.sign_fingerprint, question.id);
    }
    if (old_text != question.text) {
      tally_.leave(old_text);
      tally_.enter(question.text);
    }
    const OriginalQuestion& original = question.original;
    if (original_of(row, 4) == original) return;
    run(database_, delete_original, question.id);
    if (original.empty()) return;
    run(database_, insert_original, question.id, original.text, original.answer, original.images);
  }

  SQLite::Database& database_;
  markup::Options options_;
  CharacterTally tally_;
};

}  // namespace

std::vector<std::string> images_of(const BankQuestion& question) {
  std::vector<std::string> images;
  if (!question.original.images) return images;
  std::istringstream lines(*question.original.images + '\n');  // the last one may be empty
  for (std::string line; std::getline(lines, line);) images.push_back(line);
  return images;
}

void set_images(BankQuestion& question, std::span<const std::string> images) {
  question.original.images.reset();
  for (const std::string& image : images) {
    if (question.original.images) {
      *question.original.images += '\n' + image;
    } else {
      question.original.images = image;
    }
  }
}

markup::Extracted extract(BankQuestion& question, const markup::Options& options) {
  markup::Compared compared = markup::compared(question.text, question.answer, options, images_of(question));
  if (compared.text != question.text)
    question.original.text = std::exchange(question.text, std::move(compared.text));
  if (compared.answer != question.answer)
    question.original.answer = std::exchange(question.answer, std::move(compared.answer));
  question.is_too_long = compared.is_too_long;
  return std::move(compared.found);
}

void set_fingerprints(BankQuestion& question) {
  set_fingerprints(question, refine::DecodedText(question.text));
}

void set_fingerprints(BankQuestion& question, const refine::DecodedText& text) {
  const refine::Parts parts = refine::parts_of(text.code_points());
  question.sign_fingerprint = refine::sign_fingerprint(parts);
  question.sketch = refine::sketch_of(parts);
}

BankQuestion bank_question(QuestionId id, std::string text, std::optional<std::string> answer,
                           const markup::Options& options, std::span<const std::string> images) {
  BankQuestion question;
  question.id = id;
  question.text = std::move(text);
  question.answer = std::move(answer);
  set_images(question, images);
  extract(question, options);
  set_fingerprints(question);
  return question;
}

Result<std::optional<markup::Options>> known_options(Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string version, bank.fingerprint_version());
  return version.empty() ? std::optional<markup::Options>() : markup::options_in(version);
}

Result<std::optional<markup::Options>> current_options(Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string version, bank.fingerprint_version());
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<markup::Options> options, known_options(bank));
  return options && version == markup::rules_version(*options) ? options : std::nullopt;
}

Result<markup::Options> expect_current_options(Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  QDEDUP_ASSIGN_OR_RETURN(const auto options, current_options(bank));
  if (options || questions == 0) return options.value_or(markup::Options());
  return Error{ErrorCode::busy,
               bank.path() +
                   ": its texts were made by another version, or are being made again. The next "
                   "import, iteration or sweep brings them up to date, or finishes that"};
}

Status refresh_texts(Bank& bank, const markup::Options& options, const std::string& version,
                     const std::function<void(std::uint64_t)>& so_far) {
  QDEDUP_TRY(in_turn(bank, [&] {
    SQLite::Transaction transaction(bank.database(), SQLite::TransactionBehavior::IMMEDIATE);
    bank.database().exec("DELETE FROM meta WHERE name = 'fingerprint_version'; DELETE FROM sketch_run");
    run(bank.database(), "INSERT INTO meta (name, value) VALUES ('fingerprint_version', ?)",
        version + ", not finished");
    transaction.commit();
  }));
  TextRefresh refresh(bank.database(), options);
  QuestionId last_id = 0;
  std::uint64_t done = 0;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t batch,
                            in_turn(bank, [&] { return refresh.refresh_batch(last_id); }));
    if (batch == 0) break;
    done += batch;
    bank.report_activity();  // its statements are too short to report any
    so_far(done);
  }
  return in_turn(bank, [&] {
    run(bank.database(), "UPDATE meta SET value = ? WHERE name = 'fingerprint_version'", version);
  });
}

Status bring_texts_up_to_date(Bank& bank, const markup::Options& options, const Progress& progress) {
  const std::string version = markup::rules_version(options);
  QDEDUP_ASSIGN_OR_RETURN(const std::string stored_version, bank.fingerprint_version());
  QDEDUP_ASSIGN_OR_RETURN(const bool crowded, is_crowded(bank));
  if (stored_version == version && !crowded) return {};
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  return refresh_texts(bank, options, version,
                       [&](std::uint64_t done) { progress("texts", done, questions, "questions"); });
}

}  // namespace qdedup::db
