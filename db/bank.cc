#include "db/bank.h"

#include <filesystem>
#include <utility>

#include "db/database.h"
#include "db/lake.h"
#include "db/statement.h"
#include "db/store.h"

namespace qdedup::db {
namespace {

// Which rules texts and fingerprints follow is recorded in meta ('fingerprint_version').
constexpr const char* bank_definition = R"sql(
CREATE TABLE question (
  id        INTEGER PRIMARY KEY,
  signs     INTEGER NOT NULL,  -- fingerprint
  import_id INTEGER NOT NULL,  -- the import that had it last
  text      TEXT    NOT NULL,
  answer    TEXT
) STRICT;

-- What was imported of a question, where that is not what stands in its row.
CREATE TABLE original (
  id     INTEGER PRIMARY KEY,
  text   TEXT,
  answer TEXT,
  images TEXT  -- hashes of what its figures show, in order, a line each
) STRICT;

-- When questions arrived, where that is known: in seconds since 1970.
CREATE TABLE arrival (
  id         INTEGER PRIMARY KEY,
  arrived_at INTEGER NOT NULL
) STRICT;
CREATE INDEX arrival_time ON arrival (arrived_at);

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
INSERT INTO meta VALUES ('identity', lower(hex(randomblob(16))));

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
  sketches BLOB    NOT NULL   -- db/sketches.h
) STRICT;
)sql";

// "qdbk" as a number.
constexpr int bank_application_id = 0x7164626b;

constexpr int bank_first_version = 6;

const Schema bank_schema{bank_application_id, bank_first_version, bank_definition};

// With a row that finish_lost_bank() removes.
const Schema& schema_of_lost_bank() {
  static const std::string definition =
      std::string(bank_definition) + "INSERT INTO meta VALUES ('made_anew', '');";
  static const Schema schema = [] {
    Schema made = bank_schema;
    made.definition = definition.c_str();
    return made;
  }();
  return schema;
}

// A missing bank.db is made by an import: of a bank in a lake none is possible, and of one that the store
// remembers it must have all questions.
Status expect_none_missing(const StateFolder& folder, Access access) {
  QDEDUP_ASSIGN_OR_RETURN(const bool has_bank, is_there(folder.bank_path()));
  QDEDUP_ASSIGN_OR_RETURN(const bool has_store, is_there(folder.store_path()));
  if (has_bank || !has_store) return {};
  QDEDUP_ASSIGN_OR_RETURN(Store store, Store::open(folder, Access::read_only));
  QDEDUP_ASSIGN_OR_RETURN(const bool in_lake, knows_lake(store));
  QDEDUP_ASSIGN_OR_RETURN(const bool is_lost, remembers_bank(store));
  if (is_lost) {
    return Error{ErrorCode::data,
                 folder.bank_path() +
                     ": is missing, though qdedup.db remembers its questions; nothing was changed. "
                     "Import all questions again with `qdedup import`, or put a backup in its place"};
  }
  if (!in_lake || access == Access::read_write) return {};
  return Error{ErrorCode::no_input,
               folder.bank_path() +
                   ": does not exist, as in a backup of this state, whose bank is in a lake; "
                   "`qdedup spark plan` makes it"};
}

// Empty if it is not.
Result<std::string> recorded(Bank& bank, const std::string& name) {
  QDEDUP_ASSIGN_OR_RETURN(const auto value,
                          first_row(bank, first_text, "SELECT value FROM meta WHERE name = ?", name));
  return value.value_or("");
}

}  // namespace

OriginalQuestion original_of(SQLite::Statement& row, int column) {
  return {optional_text(row.getColumn(column)), optional_text(row.getColumn(column + 1)),
          optional_text(row.getColumn(column + 2))};
}

Bank::Bank(const std::string& path, SQLite::Database database, Access access)
    : Connection(path, std::move(database), bank_schema, access),
      find_(std::make_unique<SQLite::Statement>(this->database(),
                                                "SELECT question.text, question.answer, signs, "
                                                "original.text, original.answer, images, arrived_at "
                                                "FROM question LEFT JOIN original USING (id) "
                                                "LEFT JOIN arrival USING (id) WHERE id = ?")) {}
Bank::Bank(Bank&&) noexcept = default;
Bank::~Bank() = default;

Result<Bank> Bank::open(const StateFolder& folder, Access access) {
  QDEDUP_TRY(expect_none_missing(folder, access));
  return open(folder.bank_path(), access, bank_schema);
}

Result<Bank> Bank::make_anew(const StateFolder& folder) {
  return open(folder.bank_path(), Access::read_write, schema_of_lost_bank());
}

Result<Bank> Bank::open(const std::string& path, Access access, const Schema& schema) {
  QDEDUP_ASSIGN_OR_RETURN(SQLite::Database database, open_database(path, schema, access));
  return guarded(path, [&] { return Bank(path, std::move(database), access); });
}

Result<Bank> Bank::reader() const {
  QDEDUP_ASSIGN_OR_RETURN(Bank reader, open(path(), Access::read_only, bank_schema));
  if (on_activity()) reader.Connection::on_activity(on_activity());
  return reader;
}

Status Bank::keep_in_memory(std::size_t bytes) {
  return guarded(path(), [&] { database().exec("PRAGMA cache_size = -" + std::to_string(bytes / 1024)); });
}

Result<std::uint64_t> Bank::count() { return count_in(*this, "SELECT questions FROM total"); }

Result<refine::CharacterCounts> Bank::character_counts() {
  return guarded(path(), [&] {
    refine::CharacterCounts counts;
    counts.set_questions(loaded(database().execAndGet("SELECT questions FROM total")));
    SQLite::Statement rows(database(), "SELECT code_point, questions FROM character WHERE questions > 0");
    while (rows.executeStep()) {
      counts.set_count(static_cast<char32_t>(rows.getColumn(0).getUInt()), loaded(rows.getColumn(1)));
    }
    return counts;
  });
}

Result<std::optional<BankQuestion>> Bank::find(QuestionId id) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<BankQuestion> found, find_here(id));
  return found ? std::move(found) : find_in_lake(id);
}

Result<QuestionPair> Bank::find_pair(QuestionId question, QuestionId keeper) {
  QuestionPair pair;
  QDEDUP_ASSIGN_OR_RETURN(pair.question, find(question));
  QDEDUP_ASSIGN_OR_RETURN(pair.keeper, find(keeper));
  return pair;
}

Result<std::optional<BankQuestion>> Bank::find_in_lake(QuestionId id) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, count());
  if (questions > 0) return std::optional<BankQuestion>();
  if (!lake_) {
    const StateFolder folder(std::filesystem::path(path()).parent_path().string());
    QDEDUP_ASSIGN_OR_RETURN(const bool has_store, is_there(folder.store_path()));
    if (!has_store) return std::optional<BankQuestion>();
    QDEDUP_ASSIGN_OR_RETURN(Store store, Store::open(folder, Access::read_only));
    lake_ = std::make_unique<Store>(std::move(store));
  }
  return LakeQuestions(*lake_).find(id);
}

Result<std::optional<BankQuestion>> Bank::find_here(QuestionId id) {
  return guarded(path(), [&]() -> std::optional<BankQuestion> {
    find_->reset();
    find_->bind(1, id);
    if (!find_->executeStep()) return std::nullopt;
    BankQuestion question;
    question.id = id;
    question.text = find_->getColumn(0).getString();
    question.answer = optional_text(find_->getColumn(1));
    question.sign_fingerprint = loaded(find_->getColumn(2));
    question.original = original_of(*find_, 3);
    question.arrived_at = optional_number(find_->getColumn(6));
    find_->reset();  // otherwise its open snapshot would keep the write-ahead log from being reused
    return question;
  });
}

Result<std::vector<QuestionId>> Bank::arrived_before(std::int64_t moment) {
  return all_rows(*this, first_number, "SELECT id FROM arrival WHERE arrived_at < ? ORDER BY id", moment);
}

Result<std::string> Bank::fingerprint_version() { return recorded(*this, "fingerprint_version"); }

Result<std::string> Bank::identity() { return recorded(*this, "identity"); }

// Earlier versions stored no name in meta; of their imports only the newest counts.
Result<std::optional<std::string>> Bank::interrupted_import() {
  return first_row(
      *this, first_text,
      "SELECT source, id FROM import LEFT JOIN meta ON name = 'unfinished_import:' || id "
      "WHERE name IS NOT NULL OR (finished_at IS NULL AND id = (SELECT max(id) FROM import)) "
      "UNION ALL SELECT '', NULL FROM meta WHERE name = 'made_anew' ORDER BY id NULLS LAST LIMIT 1");
}

}  // namespace qdedup::db
