#include "db/store.h"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "db/connection.h"

namespace qdedup::db {
namespace {

constexpr const char* version_1 = R"sql(
CREATE TABLE log (
  id            INTEGER PRIMARY KEY,
  path          TEXT    NOT NULL,              -- where it was seen last
  device        INTEGER NOT NULL,
  inode         INTEGER NOT NULL,
  offset        INTEGER NOT NULL,              -- unpacked bytes mined: the end of a complete line
  head_hash     INTEGER NOT NULL,
  tail_hash     INTEGER NOT NULL,
  first_seen_at TEXT    NOT NULL,
  last_mined_at TEXT    NOT NULL,
  lines         INTEGER NOT NULL,              -- lines = selected + unselected + the sum of its rejections
  selected      INTEGER NOT NULL,
  unselected    INTEGER NOT NULL,
  nul_bytes     INTEGER NOT NULL,              -- passed over at the start of lines
  possible_loss INTEGER NOT NULL               -- 1: it stands where another log was cut or replaced since that was mined
) STRICT;

CREATE TABLE rejection (
  log_id INTEGER NOT NULL REFERENCES log,
  reason TEXT    NOT NULL,
  lines  INTEGER NOT NULL,
  PRIMARY KEY (log_id, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE iteration (
  id               INTEGER PRIMARY KEY,
  kind             TEXT    NOT NULL CHECK (kind IN ('logs', 'sweep')),
  started_at       TEXT    NOT NULL,
  finished_at      TEXT    NOT NULL,
  version          TEXT    NOT NULL,           -- of the program
  settings         TEXT    NOT NULL,           -- JSON
  lines            INTEGER NOT NULL,           -- of the evidence consumed
  selected         INTEGER NOT NULL,
  unselected       INTEGER NOT NULL,
  rejected         INTEGER NOT NULL,
  distinct_lists   INTEGER NOT NULL,
  ids              INTEGER NOT NULL,
  joins            INTEGER NOT NULL,
  refused_joins    INTEGER NOT NULL,
  clusters         INTEGER NOT NULL,
  largest_cluster  INTEGER NOT NULL,
  missing          INTEGER NOT NULL,           -- ids without text in the bank
  deletions        INTEGER NOT NULL,
  repointed        INTEGER NOT NULL,
  held             INTEGER NOT NULL,
  withdrawn        INTEGER NOT NULL
) STRICT;

CREATE TABLE cluster_size (
  iteration_id INTEGER NOT NULL REFERENCES iteration,
  size         INTEGER NOT NULL,
  clusters     INTEGER NOT NULL,
  PRIMARY KEY (iteration_id, size)
) STRICT, WITHOUT ROWID;

-- What was mined from one stretch of one log.
CREATE TABLE evidence (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  log_id        INTEGER NOT NULL REFERENCES log,
  begin_offset  INTEGER NOT NULL,
  end_offset    INTEGER NOT NULL,
  mined_at      TEXT    NOT NULL,
  min_top_score REAL    NOT NULL,              -- the selection settings it was mined with
  min_score     REAL    NOT NULL,
  lines         INTEGER NOT NULL,
  selected      INTEGER NOT NULL,
  unselected    INTEGER NOT NULL,
  rejected      INTEGER NOT NULL,
  iteration_id  INTEGER REFERENCES iteration,  -- which consumed it
  lists         BLOB                           -- evidence chunk; NULL once consumed and past its retention
) STRICT;
CREATE INDEX evidence_unconsumed ON evidence (id) WHERE iteration_id IS NULL;
CREATE INDEX evidence_kept ON evidence (iteration_id) WHERE iteration_id IS NOT NULL AND lists IS NOT NULL;

CREATE TABLE deletion (
  id            INTEGER PRIMARY KEY,
  iteration_id  INTEGER NOT NULL REFERENCES iteration,
  question_id   INTEGER NOT NULL,
  keep_id       INTEGER NOT NULL,
  distance      INTEGER NOT NULL,
  length        INTEGER NOT NULL,
  confidence    TEXT    NOT NULL CHECK (confidence IN ('safe', 'doubtful')),
  reasons       TEXT    NOT NULL,
  status        TEXT    NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'applied', 'withdrawn')),
  question_hash INTEGER NOT NULL,              -- of the texts that were compared
  keep_hash     INTEGER NOT NULL,
  note          TEXT    NOT NULL DEFAULT '',
  UNIQUE (iteration_id, question_id),
  CHECK (keep_id < question_id)
) STRICT;
CREATE UNIQUE INDEX deletion_open ON deletion (question_id) WHERE status IN ('pending', 'approved', 'applied');
CREATE INDEX deletion_open_keeper ON deletion (keep_id) WHERE status IN ('pending', 'approved', 'applied');
CREATE INDEX deletion_pair ON deletion (question_id, keep_id);
CREATE INDEX deletion_rejected ON deletion (question_id, keep_id) WHERE status = 'rejected';

-- Each change of a deletion's keeper after it was listed.
CREATE TABLE repointing (
  id           INTEGER PRIMARY KEY,
  deletion_id  INTEGER NOT NULL REFERENCES deletion,
  iteration_id INTEGER NOT NULL REFERENCES iteration,
  old_keep_id  INTEGER NOT NULL,
  new_keep_id  INTEGER NOT NULL
) STRICT;

-- Each change of a deletion's status, by a person or by the program. Rows are only ever added.
CREATE TABLE decision (
  id          INTEGER PRIMARY KEY,
  deletion_id INTEGER NOT NULL REFERENCES deletion,
  decided_at  TEXT    NOT NULL,
  decided_by  TEXT    NOT NULL,
  old_status  TEXT    NOT NULL,
  new_status  TEXT    NOT NULL,
  note        TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX decision_deletion ON decision (deletion_id);
CREATE TRIGGER decision_is_append_only_update BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
CREATE TRIGGER decision_is_append_only_delete BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never removed'); END;
)sql";

constexpr const char* version_2 = R"sql(
-- A compressed log as it was when it was read to its end: while it stays like that, there is nothing new in it.
ALTER TABLE log ADD COLUMN file_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE log ADD COLUMN file_modified_ns INTEGER NOT NULL DEFAULT 0;

-- The slots of the schedule that are done with.
CREATE TABLE slot (
  at          INTEGER PRIMARY KEY,             -- seconds since 1970, UTC
  recorded_at TEXT    NOT NULL
) STRICT;

-- How often which scores were seen, over all lines that were mined.
CREATE TABLE score (
  bucket INTEGER PRIMARY KEY,                  -- doc/formats.md
  lists  INTEGER NOT NULL,                     -- whose best score is in the bucket
  pairs  INTEGER NOT NULL                      -- whose score is in the bucket
) STRICT;
)sql";

constexpr const char* version_3 = R"sql(
-- 1: it listed more deletions than it may, and none of them can be approved before people release it.
ALTER TABLE iteration ADD COLUMN withheld INTEGER NOT NULL DEFAULT 0;
ALTER TABLE iteration ADD COLUMN released_at TEXT NOT NULL DEFAULT '';
ALTER TABLE iteration ADD COLUMN released_by TEXT NOT NULL DEFAULT '';

-- Pairs that were withdrawn between iterations, for the next one to decide anew.
CREATE TABLE reopened (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  question_id INTEGER NOT NULL,
  keep_id     INTEGER NOT NULL
) STRICT;
)sql";

constexpr const char* version_4 = R"sql(
-- The deletions of one status by keeper, as people review them.
CREATE INDEX deletion_queue ON deletion (status, keep_id, question_id);

-- Safe deletions, drawn at random, for people to judge without seeing that they are.
CREATE TABLE sample (
  id         INTEGER PRIMARY KEY,
  drawn_at   TEXT    NOT NULL,
  drawn_by   TEXT    NOT NULL,
  population INTEGER NOT NULL                  -- of how many it was drawn
) STRICT;

CREATE TABLE sample_pair (
  sample_id   INTEGER NOT NULL REFERENCES sample,
  position    INTEGER NOT NULL,                -- from 1
  deletion_id INTEGER NOT NULL REFERENCES deletion,
  judgement   TEXT    NOT NULL DEFAULT '' CHECK (judgement IN ('', 'same', 'different')),
  judged_at   TEXT    NOT NULL DEFAULT '',
  judged_by   TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (sample_id, position)
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* version_5 = R"sql(
-- Pairs that passed the duplicate test beside those that are listed: of questions that were listed, with
-- other questions that were kept then.
CREATE TABLE verified_pair (
  question_id   INTEGER NOT NULL,
  keep_id       INTEGER NOT NULL,
  iteration_id  INTEGER NOT NULL REFERENCES iteration,  -- which compared them
  distance      INTEGER NOT NULL,
  length        INTEGER NOT NULL,
  confidence    TEXT    NOT NULL CHECK (confidence IN ('safe', 'doubtful')),
  reasons       TEXT    NOT NULL,
  question_hash INTEGER NOT NULL,
  keep_hash     INTEGER NOT NULL,
  PRIMARY KEY (question_id, keep_id),
  CHECK (keep_id < question_id)
) STRICT, WITHOUT ROWID;

-- The classes as they are: all their questions but the representative.
CREATE TABLE class_member (
  question_id    INTEGER PRIMARY KEY,
  representative INTEGER NOT NULL,             -- the smallest id of the class
  held_by        INTEGER NOT NULL,             -- the question of the class with which it passed the test
  since          INTEGER NOT NULL,             -- the newest iteration when it joined or moved by itself
  CHECK (representative <= held_by AND held_by < question_id)
) STRICT;
-- What is there goes in before the indexes are made, which sorts it; row by row takes several times as long.
INSERT INTO class_member (question_id, representative, held_by, since)
SELECT question_id, keep_id, keep_id, iteration_id FROM deletion
WHERE status IN ('pending', 'approved', 'applied') ORDER BY question_id;
CREATE INDEX class_member_class ON class_member (representative);
CREATE INDEX class_member_holder ON class_member (held_by) WHERE held_by <> representative;

-- Each change of a question's class. Rows are only ever added.
CREATE TABLE class_change (
  id                 INTEGER PRIMARY KEY,
  iteration_id       INTEGER NOT NULL REFERENCES iteration,  -- that made it, or the newest one then
  decision_id        INTEGER REFERENCES decision,            -- that made it
  question_id        INTEGER NOT NULL,
  old_representative INTEGER,                  -- NULL: it was in no class, or represented one
  new_representative INTEGER,                  -- NULL: it is in none now, or represents one
  reason             TEXT    NOT NULL
) STRICT;
INSERT INTO class_change (iteration_id, question_id, new_representative, reason)
SELECT since, question_id, representative, 'migrated' FROM class_member ORDER BY since, question_id;
CREATE INDEX class_change_question ON class_change (question_id);
CREATE INDEX class_change_left ON class_change (old_representative) WHERE old_representative IS NOT NULL;
CREATE TRIGGER class_change_is_append_only_update BEFORE UPDATE ON class_change
BEGIN SELECT RAISE(ABORT, 'changes of classes are never changed'); END;
CREATE TRIGGER class_change_is_append_only_delete BEFORE DELETE ON class_change
BEGIN SELECT RAISE(ABORT, 'changes of classes are never removed'); END;
)sql";

constexpr const char* version_6 = R"sql(
-- When the file of a log was born, in nanoseconds since 1970: its inode alone may be another file's by now. 0: not known.
ALTER TABLE log ADD COLUMN born_ns INTEGER NOT NULL DEFAULT 0;
)sql";

constexpr std::array steps = {version_1, version_2, version_3, version_4, version_5, version_6};

// "qdds" as a number.
constexpr int application_id = 0x71646473;

const Schema schema{application_id, steps, "Put a backup in its place: cp BACKUP qdedup.db"};

}  // namespace

Store::Store(std::string path, std::unique_ptr<SQLite::Database> database)
    : path_(std::move(path)), database_(std::move(database)) {}
Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const StateFolder& folder, Access access) {
  const std::string path = folder.store_path();
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) && std::filesystem::exists(folder.bank_path(), failure)) {
    return Error{ErrorCode::data, path + ": is missing, though bank.db is there; nothing was changed. " +
                                      std::string(schema.when_damaged) +
                                      " (or move bank.db away to begin anew)"};
  }
  Result<SQLite::Database> database = open_database(path, schema, access);
  if (!database.ok()) return std::move(database).error();
  return Store(path, std::make_unique<SQLite::Database>(*std::move(database)));
}

void Store::on_activity(OnActivity told) {
  told_ = std::make_unique<OnActivity>(std::move(told));
  report_activity(*database_, told_.get());
}

}  // namespace qdedup::db
