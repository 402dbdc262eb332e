#include "db/bank.h"

#include <array>
#include <utility>

#include "db/connection.h"
#include "db/integer.h"

namespace qdedup::db {
namespace {

// Fingerprints are of the sign rules named in meta ('fingerprint_version').
constexpr const char* version_1 = R"sql(
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
)sql";

constexpr const char* version_2 = R"sql(
-- What sweeps need not find out again (db/swept_questions.h).
CREATE TABLE swept (
  bucket    INTEGER PRIMARY KEY,
  questions BLOB    NOT NULL         -- id and hash of the text of each, 8 bytes, little-endian
) STRICT;
)sql";

constexpr std::array steps = {version_1, version_2};

// "qdbk" as a number.
constexpr int application_id = 0x7164626b;

const Schema schema{application_id, steps, "Move it away and import the questions again"};

std::optional<std::string> optional_text(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getString());
}

void bind_optional(SQLite::Statement& statement, int index, const std::optional<std::string>& value) {
  if (value) {
    statement.bindNoCopy(index, *value);
  } else {
    statement.bind(index);
  }
}

// Computes the fingerprints of the next questions behind `last_id`, which moves on; false at the end.
bool refresh_batch(SQLite::Database& database, std::int64_t& last_id,
                   const std::function<std::uint64_t(std::string_view text)>& fingerprint) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  SQLite::Statement rows(database, "SELECT id, text FROM question WHERE id > ? ORDER BY id LIMIT 10000");
  SQLite::Statement update(database, "UPDATE question SET signs = ? WHERE id = ?");
  rows.bind(1, last_id);
  bool any = false;
  while (rows.executeStep()) {
    any = true;
    last_id = rows.getColumn(0).getInt64();
    update.reset();
    update.bind(1, stored(fingerprint(rows.getColumn(1).getString())));
    update.bind(2, last_id);
    update.exec();
  }
  transaction.commit();
  return any;
}

}  // namespace

Bank::Bank(std::string path, std::unique_ptr<SQLite::Database> database)
    : path_(std::move(path)),
      database_(std::move(database)),
      find_(std::make_unique<SQLite::Statement>(*database_,
                                                "SELECT text, answer, signs FROM question WHERE id = ?")),
      find_fingerprint_(std::make_unique<SQLite::Statement>(
          *database_, "SELECT signs FROM question WHERE id = ? AND text <> ''")) {}
Bank::Bank(Bank&&) noexcept = default;
Bank::~Bank() = default;

Result<Bank> Bank::open(const StateFolder& folder, Access access) {
  const std::string path = folder.bank_path();
  Result<SQLite::Database> database = open_database(path, schema, access);
  if (!database.ok()) return std::move(database).error();
  return guarded(path, [&] { return Bank(path, std::make_unique<SQLite::Database>(*std::move(database))); });
}

void Bank::on_activity(std::function<void()> moved) {
  moved_ = std::make_unique<std::function<void()>>(std::move(moved));
  report_activity(*database_, moved_.get());
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
    return question;
  });
}

Status Bank::fingerprints(std::span<const QuestionId> ids,
                          const std::function<void(std::size_t position, std::uint64_t fingerprint)>& take) {
  return guarded(path_, [&] {
    for (std::size_t position = 0; position < ids.size(); ++position) {
      find_fingerprint_->reset();
      find_fingerprint_->bind(1, ids[position]);
      if (!find_fingerprint_->executeStep()) continue;
      take(position, loaded(find_fingerprint_->getColumn(0)));
    }
  });
}

Result<std::string> Bank::fingerprint_version() {
  return guarded(path_, [&]() -> std::string {
    SQLite::Statement row(*database_, "SELECT value FROM meta WHERE name = 'fingerprint_version'");
    return row.executeStep() ? row.getColumn(0).getString() : "";
  });
}

Result<std::optional<std::string>> Bank::interrupted_import() {
  return guarded(path_, [&]() -> std::optional<std::string> {
    SQLite::Statement newest(*database_, "SELECT source, finished_at FROM import ORDER BY id DESC LIMIT 1");
    if (!newest.executeStep() || !newest.getColumn(1).isNull()) return std::nullopt;
    return newest.getColumn(0).getString();
  });
}

Status Bank::refresh_fingerprints(const std::string& version,
                                  const std::function<std::uint64_t(std::string_view text)>& fingerprint) {
  return guarded(path_, [&] {
    std::int64_t last_id = 0;
    while (refresh_batch(*database_, last_id, fingerprint)) continue;
    SQLite::Statement note(*database_,
                           "INSERT OR REPLACE INTO meta (name, value) VALUES ('fingerprint_version', ?)");
    note.bind(1, version);
    note.exec();
  });
}

struct BankImport::Work {
  Work(Bank& bank_to_fill, std::uint64_t batch, CharacterTally& counter)
      : bank(bank_to_fill),
        rows_per_commit(batch),
        tally(counter),
        find(bank.database(), "SELECT import_id, text, answer FROM question WHERE id = ?"),
        write(bank.database(),
              "INSERT OR REPLACE INTO question (id, signs, import_id, text, answer) VALUES (?, ?, ?, ?, ?)"),
        erase(bank.database(), "DELETE FROM question WHERE id = ?") {}

  void begin_if_needed() {
    if (transaction) return;
    transaction =
        std::make_unique<SQLite::Transaction>(bank.database(), SQLite::TransactionBehavior::IMMEDIATE);
  }

  void commit() {
    add(tally.take());
    transaction->commit();
    transaction.reset();
    uncommitted = 0;
  }

  void add(const CharacterSums& changes) {
    SQLite::Statement total(bank.database(), "UPDATE total SET questions = questions + ?");
    total.bind(1, changes.questions);
    total.exec();
    SQLite::Statement upsert(
        bank.database(),
        "INSERT INTO character (code_point, questions) VALUES (?, ?) "
        "ON CONFLICT (code_point) DO UPDATE SET questions = questions + excluded.questions");
    for (const auto& [code_point, questions] : changes.characters) {
      upsert.bind(1, static_cast<std::uint32_t>(code_point));
      upsert.bind(2, questions);
      upsert.exec();
      upsert.reset();
    }
  }

  Outcome put(const BankQuestion& question) {
    find.reset();
    find.bind(1, question.id);
    if (!find.executeStep()) {
      tally.enter(question.text);
      store(question);
      return Outcome::inserted;
    }
    if (find.getColumn(0).getInt64() == import_id) return Outcome::repeated;
    const std::string old_text = find.getColumn(1).getString();
    const bool same = old_text == question.text && optional_text(find.getColumn(2)) == question.answer;
    if (!same) {
      tally.leave(old_text);
      tally.enter(question.text);
    }
    store(question);
    return same ? Outcome::unchanged : Outcome::replaced;
  }

  void store(const BankQuestion& question) {
    write.reset();
    write.bind(1, question.id);
    write.bind(2, stored(question.sign_fingerprint));
    write.bind(3, import_id);
    write.bindNoCopy(4, question.text);
    bind_optional(write, 5, question.answer);
    write.exec();
  }

  Outcome remove(QuestionId id) {
    find.reset();
    find.bind(1, id);
    if (!find.executeStep()) return Outcome::absent;
    tally.leave(find.getColumn(1).getString());
    find.reset();
    erase.reset();
    erase.bind(1, id);
    erase.exec();
    return Outcome::removed;
  }

  Bank& bank;
  std::uint64_t rows_per_commit;
  CharacterTally& tally;
  std::int64_t import_id = 0;
  std::uint64_t uncommitted = 0;
  SQLite::Statement find;
  SQLite::Statement write;
  SQLite::Statement erase;
  std::unique_ptr<SQLite::Transaction> transaction;
};

BankImport::BankImport(std::unique_ptr<Work> work) : work_(std::move(work)) {}
BankImport::BankImport(BankImport&&) noexcept = default;
BankImport::~BankImport() = default;

Result<BankImport> BankImport::begin(Bank& bank, const std::string& source, const std::string& started_at,
                                     std::uint64_t rows_per_commit, CharacterTally& tally) {
  return guarded(bank.path(), [&] {
    SQLite::Statement insert(bank.database(), "INSERT INTO import (source, started_at) VALUES (?, ?)");
    insert.bind(1, source);
    insert.bind(2, started_at);
    insert.exec();
    auto work = std::make_unique<Work>(bank, rows_per_commit, tally);
    work->import_id = bank.database().getLastInsertRowid();
    return BankImport(std::move(work));
  });
}

Status BankImport::load_at_once(Bank& bank, const std::string& source, const std::string& at,
                                std::span<const BankQuestion> questions, CharacterTally& tally) {
  return guarded(bank.path(), [&] {
    Work work(bank, questions.size() + 1, tally);
    work.begin_if_needed();
    SQLite::Statement insert(bank.database(),
                             "INSERT INTO import (source, started_at, finished_at) VALUES (?, ?2, ?2)");
    insert.bind(1, source);
    insert.bind(2, at);
    insert.exec();
    work.import_id = bank.database().getLastInsertRowid();
    for (const BankQuestion& question : questions) work.put(question);
    work.commit();
  });
}

Status BankImport::row_done() {
  if (++work_->uncommitted < work_->rows_per_commit) return {};
  return guarded(work_->bank.path(), [&] { work_->commit(); });
}

Result<BankImport::Outcome> BankImport::put(const BankQuestion& question) {
  Result<Outcome> outcome = guarded(work_->bank.path(), [&] {
    work_->begin_if_needed();
    return work_->put(question);
  });
  if (outcome.ok()) QDEDUP_TRY(row_done());
  return outcome;
}

Result<BankImport::Outcome> BankImport::remove(QuestionId id) {
  Result<Outcome> outcome = guarded(work_->bank.path(), [&] {
    work_->begin_if_needed();
    return work_->remove(id);
  });
  if (outcome.ok()) QDEDUP_TRY(row_done());
  return outcome;
}

Status BankImport::finish(const std::string& finished_at) {
  return guarded(work_->bank.path(), [&] {
    work_->begin_if_needed();
    SQLite::Statement update(work_->bank.database(), "UPDATE import SET finished_at = ? WHERE id = ?");
    update.bind(1, finished_at);
    update.bind(2, work_->import_id);
    update.exec();
    work_->commit();
  });
}

}  // namespace qdedup::db
