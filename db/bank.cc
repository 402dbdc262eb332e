#include "db/bank.h"

#include <string>
#include <utility>

#include "db/connection.h"
#include "db/import_record.h"
#include "db/integer.h"
#include "db/optional_text.h"
#include "db/sketches.h"

namespace qdedup::db {
namespace {

// Fingerprints are of the sign rules named in meta ('fingerprint_version').
constexpr const char* bank_definition = R"sql(
CREATE TABLE question (
  id        INTEGER PRIMARY KEY,
  signs     INTEGER NOT NULL,  -- fingerprint
  import_id INTEGER NOT NULL,  -- the import that had it last
  text      TEXT    NOT NULL,
  answer    TEXT
) STRICT;

CREATE TABLE import (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  source      TEXT    NOT NULL,
  started_at  TEXT    NOT NULL,
  finished_at TEXT
) STRICT;

-- In how many questions each character occurs.
CREATE TABLE character (
  code_point INTEGER PRIMARY KEY,
  questions  INTEGER NOT NULL
) STRICT;

CREATE TABLE total (
  questions INTEGER NOT NULL
) STRICT;
INSERT INTO total VALUES (0);

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What sweeps need not find out again (db/swept_questions.h).
CREATE TABLE swept (
  bucket    INTEGER PRIMARY KEY,
  questions BLOB    NOT NULL         -- id and hash of the text of each, 8 bytes, little-endian
) STRICT;

-- Sketches in the order in which they came: of each question the newest entry holds.
CREATE TABLE sketch_run (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  first_id INTEGER NOT NULL,  -- the smallest and the greatest question in it
  last_id  INTEGER NOT NULL,
  entries  INTEGER NOT NULL,  -- how many
  sketches BLOB    NOT NULL   -- db/sketch_run.h
) STRICT;
)sql";

// "qdbk" as a number.
constexpr int bank_application_id = 0x7164626b;

constexpr int bank_first_version = 4;

const Schema bank_schema{bank_application_id, bank_first_version, bank_definition};

// Computes the fingerprints of the next questions behind `last_id`, which moves on; says how many, none at
// the end.
std::size_t refresh_batch(SQLite::Database& database, QuestionId& last_id,
                          const std::function<void(BankQuestion&)>& set_fingerprints) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  SQLite::Statement rows(database,
                         "SELECT id, text, signs FROM question WHERE id > ? ORDER BY id LIMIT 10000");
  SQLite::Statement update(database, "UPDATE question SET signs = ? WHERE id = ?");
  rows.bind(1, last_id);
  std::vector<SketchEntry> sketches;
  while (rows.executeStep()) {
    BankQuestion question;
    question.id = rows.getColumn(0).getInt64();
    question.text = rows.getColumn(1).getString();
    set_fingerprints(question);
    sketches.push_back(sketch_entry(question));
    last_id = question.id;
    if (question.sign_fingerprint == loaded(rows.getColumn(2))) continue;
    update.reset();
    update.bind(1, stored(question.sign_fingerprint));
    update.bind(2, question.id);
    update.exec();
  }
  add_run(database, sketches);
  transaction.commit();
  return sketches.size();
}

}  // namespace

Bank::Bank(std::string path, std::unique_ptr<SQLite::Database> database, Access access)
    : path_(std::move(path)),
      watch_(watch(*database, path_, access)),
      database_(std::move(database)),
      find_(std::make_unique<SQLite::Statement>(*database_,
                                                "SELECT text, answer, signs FROM question WHERE id = ?")) {}
Bank::Bank(Bank&&) noexcept = default;
Bank::~Bank() = default;

Result<Bank> Bank::open(const StateFolder& folder, Access access) { return open(folder.bank_path(), access); }

Result<Bank> Bank::open(const std::string& path, Access access) {
  Result<SQLite::Database> database = open_database(path, bank_schema, access);
  if (!database.ok()) return std::move(database).error();
  return guarded(
      path, [&] { return Bank(path, std::make_unique<SQLite::Database>(*std::move(database)), access); });
}

Result<Bank> Bank::reader() const {
  Result<Bank> reader = open(path_, Access::read_only);
  if (reader.ok() && watch_->told) reader->on_activity(watch_->told);
  return reader;
}

void Bank::on_activity(OnActivity told) { report_activity(*database_, *watch_, std::move(told)); }

Result<std::shared_ptr<void>> Bank::take_turn() { return turn_of(watch_->permission.get()); }

void Bank::use(std::shared_ptr<WritePermission> permission) { watch_->permission = std::move(permission); }

Status Bank::keep_in_memory(std::size_t bytes) {
  return guarded(path_, [&] { database_->exec("PRAGMA cache_size = -" + std::to_string(bytes / 1024)); });
}

Result<std::uint64_t> Bank::count() {
  return guarded(path_, [&] {
    return static_cast<std::uint64_t>(database_->execAndGet("SELECT questions FROM total").getInt64());
  });
}

Result<CharacterSums> Bank::character_sums() {
  return guarded(path_, [&] {
    CharacterSums sums;
    sums.questions = database_->execAndGet("SELECT questions FROM total").getInt64();
    SQLite::Statement rows(*database_, "SELECT code_point, questions FROM character WHERE questions > 0");
    while (rows.executeStep()) {
      sums.characters.emplace_back(static_cast<char32_t>(rows.getColumn(0).getUInt()),
                                   rows.getColumn(1).getInt64());
    }
    return sums;
  });
}

Result<std::optional<BankQuestion>> Bank::find(QuestionId id) {
  return guarded(path_, [&]() -> std::optional<BankQuestion> {
    find_->reset();
    find_->bind(1, id);
    if (!find_->executeStep()) return std::nullopt;
    BankQuestion question;
    question.id = id;
    question.text = find_->getColumn(0).getString();
    question.answer = optional_text(find_->getColumn(1));
    question.sign_fingerprint = loaded(find_->getColumn(2));
    find_->reset();  // or its view of the bank would keep the write-ahead log from being used anew
    return question;
  });
}

Result<std::string> Bank::fingerprint_version() {
  return guarded(path_, [&]() -> std::string {
    SQLite::Statement row(*database_, "SELECT value FROM meta WHERE name = 'fingerprint_version'");
    return row.executeStep() ? row.getColumn(0).getString() : "";
  });
}

Result<std::optional<std::string>> Bank::interrupted_import() {
  return guarded(path_, [&] { return unfinished_import(*database_); });
}

Status Bank::refresh_fingerprints(const std::string& version,
                                  const std::function<void(BankQuestion&)>& set_fingerprints,
                                  const std::function<void(std::uint64_t)>& so_far) {
  QDEDUP_TRY(in_turn(*this, [&] {
    database_->exec(
        "BEGIN IMMEDIATE; DELETE FROM meta WHERE name = 'fingerprint_version'; DELETE FROM sketch_run; "
        "COMMIT");
  }));
  QuestionId last_id = 0;
  std::uint64_t done = 0;
  while (true) {
    const Result<std::size_t> batch =
        in_turn(*this, [&] { return refresh_batch(*database_, last_id, set_fingerprints); });
    if (!batch.ok()) return batch.error();
    if (*batch == 0) break;
    done += *batch;
    if (watch_->told) watch_->told(Activity::step);  // its statements are too short to tell
    so_far(done);
  }
  return in_turn(*this, [&] {
    SQLite::Statement note(*database_, "INSERT INTO meta (name, value) VALUES ('fingerprint_version', ?)");
    note.bind(1, version);
    note.exec();
  });
}

}  // namespace qdedup::db
