#include "db/bank.h"

#include <array>
#include <utility>

#include "db/connection.h"

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

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::array steps = {version_1};

// "qdbk" as a number.
constexpr int application_id = 0x7164626b;

const Schema schema{application_id, steps, "Move it away and import the questions again"};

std::int64_t stored(std::uint64_t value) { return static_cast<std::int64_t>(value); }

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

Result<std::uint64_t> Bank::count() {
  return guarded(path_, [&] {
    return static_cast<std::uint64_t>(database_->execAndGet("SELECT count(*) FROM question").getInt64());
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
    question.sign_fingerprint = static_cast<std::uint64_t>(find_->getColumn(2).getInt64());
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
      take(position, static_cast<std::uint64_t>(find_fingerprint_->getColumn(0).getInt64()));
    }
  });
}

Result<std::string> Bank::fingerprint_version() {
  return guarded(path_, [&]() -> std::string {
    SQLite::Statement row(*database_, "SELECT value FROM meta WHERE name = 'fingerprint_version'");
    return row.executeStep() ? row.getColumn(0).getString() : "";
  });
}

Status Bank::refresh_fingerprints(const std::string& version,
                                  const std::function<std::uint64_t(std::string_view text)>& fingerprint) {
  return guarded(path_, [&] {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement rows(*database_, "SELECT id, text FROM question");
    SQLite::Statement update(*database_, "UPDATE question SET signs = ? WHERE id = ?");
    while (rows.executeStep()) {
      update.reset();
      update.bind(1, stored(fingerprint(rows.getColumn(1).getString())));
      update.bind(2, rows.getColumn(0).getInt64());
      update.exec();
    }
    SQLite::Statement note(*database_,
                           "INSERT OR REPLACE INTO meta (name, value) VALUES ('fingerprint_version', ?)");
    note.bind(1, version);
    note.exec();
    transaction.commit();
  });
}

struct BankImport::Work {
  Work(Bank& bank_to_fill, std::uint64_t batch)
      : bank(bank_to_fill),
        rows_per_commit(batch),
        find(bank.database(), "SELECT import_id, text, answer FROM question WHERE id = ?"),
        write(bank.database(),
              "INSERT OR REPLACE INTO question (id, signs, import_id, text, answer) VALUES (?, ?, ?, ?, ?)"),
        erase(bank.database(), "DELETE FROM question WHERE id = ?") {}

  void commit() {
    if (transaction) transaction->commit();
    transaction.reset();
    uncommitted = 0;
  }

  void begin_if_needed() {
    if (transaction) return;
    transaction =
        std::make_unique<SQLite::Transaction>(bank.database(), SQLite::TransactionBehavior::IMMEDIATE);
  }

  Outcome outcome_of(const BankQuestion& question) {
    find.reset();
    find.bind(1, question.id);
    if (!find.executeStep()) return Outcome::inserted;
    if (find.getColumn(0).getInt64() == import_id) return Outcome::repeated;
    const bool same =
        find.getColumn(1).getString() == question.text && optional_text(find.getColumn(2)) == question.answer;
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

  Bank& bank;
  std::uint64_t rows_per_commit;
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
                                     std::uint64_t rows_per_commit) {
  return guarded(bank.path(), [&] {
    SQLite::Statement insert(bank.database(), "INSERT INTO import (source, started_at) VALUES (?, ?)");
    insert.bind(1, source);
    insert.bind(2, started_at);
    insert.exec();
    auto work = std::make_unique<Work>(bank, rows_per_commit);
    work->import_id = bank.database().getLastInsertRowid();
    return BankImport(std::move(work));
  });
}

Status BankImport::row_done() {
  if (++work_->uncommitted < work_->rows_per_commit) return {};
  return guarded(work_->bank.path(), [&] { work_->commit(); });
}

Result<BankImport::Outcome> BankImport::put(const BankQuestion& question) {
  Result<Outcome> outcome = guarded(work_->bank.path(), [&] {
    work_->begin_if_needed();
    const Outcome found = work_->outcome_of(question);
    if (found != Outcome::repeated) work_->store(question);
    return found;
  });
  if (outcome.ok()) QDEDUP_TRY(row_done());
  return outcome;
}

Result<BankImport::Outcome> BankImport::remove(QuestionId id) {
  Result<Outcome> outcome = guarded(work_->bank.path(), [&] {
    work_->begin_if_needed();
    work_->erase.reset();
    work_->erase.bind(1, id);
    return work_->erase.exec() > 0 ? Outcome::removed : Outcome::absent;
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
