#include "db/store.h"

#include <array>

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// The texts of its statements are compared with those in a database. So columns that came later stand where
// ALTER TABLE put them.
constexpr const char* definition = R"sql(
-- forgotten_at, forgotten_by: when and by whom it was taken out, to be left out; '': it is mined.
-- acknowledged_at, acknowledged_by: when and by whom possible_loss and possible_twice were last acknowledged, which
-- set them to 0.
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
  possible_loss INTEGER NOT NULL,              -- 1: it stands where another log was cut or replaced since that was mined
  -- A compressed log as it was when it was read to its end: while it stays like that, there is nothing new in it.
  file_size        INTEGER NOT NULL DEFAULT 0,
  file_modified_ns INTEGER NOT NULL DEFAULT 0,
  -- When its file was born, in nanoseconds since 1970: its inode alone may be another file's by now. 0: not known.
  born_ns          INTEGER NOT NULL DEFAULT 0,
  possible_twice   INTEGER NOT NULL DEFAULT 0, -- 1: lines of it may have been counted before, as lines of another log
  first_line       INTEGER NOT NULL DEFAULT 0  -- the hash of its first line; 0: not known
, forgotten_at TEXT NOT NULL DEFAULT '', forgotten_by TEXT NOT NULL DEFAULT '', acknowledged_at TEXT NOT NULL DEFAULT '', acknowledged_by TEXT NOT NULL DEFAULT '') STRICT;

-- What the lines of a log were, so that a file which holds only the first of them is known for what it is.
CREATE TABLE log_mark (
  id           INTEGER PRIMARY KEY,
  log_id       INTEGER NOT NULL REFERENCES log,
  begin_offset INTEGER NOT NULL,               -- the beginning of a line
  end_offset   INTEGER NOT NULL,
  tail_hash    INTEGER NOT NULL,               -- of the 1,024 bytes before begin_offset
  line_hashes  BLOB                            -- of the first lines between the two; NULL where that is long ago
) STRICT;
CREATE UNIQUE INDEX log_mark_place ON log_mark (log_id, begin_offset);
CREATE INDEX log_mark_lines ON log_mark (log_id, end_offset) WHERE line_hashes IS NOT NULL;

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
  weights          TEXT    NOT NULL,           -- with which the risks were estimated
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
  withdrawn        INTEGER NOT NULL,
  -- 1: it listed more deletions than it may, and none of them can be approved before people release it.
  withheld         INTEGER NOT NULL DEFAULT 0,
  released_at      TEXT    NOT NULL DEFAULT '',
  released_by      TEXT    NOT NULL DEFAULT ''
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

-- by_sets: for pairs that a set measure compared; `length` is 10,000, and `distance` what the similarity, in
-- hundredths of a percent, is less than that.
CREATE TABLE deletion (
  id            INTEGER PRIMARY KEY,
  iteration_id  INTEGER NOT NULL REFERENCES iteration,
  question_id   INTEGER NOT NULL,
  keep_id       INTEGER NOT NULL,
  distance      INTEGER NOT NULL,
  length        INTEGER NOT NULL,
  confidence    TEXT    NOT NULL CHECK (confidence IN ('safe', 'doubtful')),
  reasons       TEXT    NOT NULL,
  risk          INTEGER NOT NULL CHECK (risk BETWEEN 0 AND 10000),  -- ten-thousandths
  status        TEXT    NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'applied', 'withdrawn')),
  question_hash INTEGER NOT NULL,              -- of the texts that were compared
  keep_hash     INTEGER NOT NULL,
  note          TEXT    NOT NULL DEFAULT '', by_sets INTEGER NOT NULL DEFAULT 0 CHECK (by_sets IN (0, 1)),
  UNIQUE (iteration_id, question_id),
  CHECK (keep_id < question_id)
) STRICT;
CREATE UNIQUE INDEX deletion_open ON deletion (question_id) WHERE status IN ('pending', 'approved', 'applied');
CREATE INDEX deletion_open_keeper ON deletion (keep_id) WHERE status IN ('pending', 'approved', 'applied');
CREATE INDEX deletion_pair ON deletion (question_id, keep_id);
CREATE INDEX deletion_rejected ON deletion (question_id, keep_id) WHERE status = 'rejected';
-- The deletions of one status, as people review them: the riskiest first, or by keeper.
CREATE INDEX deletion_by_risk ON deletion (status, risk DESC, keep_id, question_id);
CREATE INDEX deletion_by_keeper ON deletion (status, keep_id, question_id);

-- Each change of a deletion's keeper after it was listed.
CREATE TABLE repointing (
  id           INTEGER PRIMARY KEY,
  deletion_id  INTEGER NOT NULL REFERENCES deletion,
  iteration_id INTEGER NOT NULL REFERENCES iteration,
  old_keep_id  INTEGER NOT NULL,
  new_keep_id  INTEGER NOT NULL
) STRICT;

-- Each change of a deletion's status, by a person or by the program. Rows are only ever added.
-- key: what the page calls a decision, so that one that it sends again is stored once.
CREATE TABLE decision (
  id          INTEGER PRIMARY KEY,
  deletion_id INTEGER NOT NULL REFERENCES deletion,
  decided_at  TEXT    NOT NULL,
  decided_by  TEXT    NOT NULL,                -- the user that the kernel names, or `token`, `policy`, `qdedup`
  old_status  TEXT    NOT NULL,
  new_status  TEXT    NOT NULL,
  note        TEXT    NOT NULL DEFAULT '',
  given_name  TEXT    NOT NULL DEFAULT '',     -- what they call themselves
  one_by_one  INTEGER NOT NULL DEFAULT 0       -- 1: somebody looked at this very pair
, key TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX decision_deletion ON decision (deletion_id);
CREATE INDEX decision_one_by_one ON decision (id) WHERE one_by_one = 1;
CREATE TRIGGER decision_is_append_only_update BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
CREATE TRIGGER decision_is_append_only_delete BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never removed'); END;

-- What was learned from decisions. The newest weights that were not undone are in force.
CREATE TABLE learned_weights (
  id            INTEGER PRIMARY KEY,
  learned_at    TEXT    NOT NULL,
  learned_by    TEXT    NOT NULL,
  pairs         INTEGER NOT NULL,              -- that were decided one by one
  last_decision INTEGER NOT NULL,              -- the newest one then
  weights       TEXT    NOT NULL,              -- as refine/data/weights.txt
  undone_at     TEXT    NOT NULL DEFAULT '',
  undone_by     TEXT    NOT NULL DEFAULT ''
) STRICT;

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

-- Pairs that were withdrawn between iterations, for the next one to decide anew.
CREATE TABLE reopened (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  question_id INTEGER NOT NULL,
  keep_id     INTEGER NOT NULL
) STRICT;

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
  keep_id     INTEGER NOT NULL,                -- the keeper that the deletion had then
  judgement   TEXT    NOT NULL DEFAULT '' CHECK (judgement IN ('', 'same', 'different')),
  judged_at   TEXT    NOT NULL DEFAULT '',
  judged_by   TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (sample_id, position)
) STRICT, WITHOUT ROWID;

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
  risk          INTEGER NOT NULL CHECK (risk BETWEEN 0 AND 10000),
  question_hash INTEGER NOT NULL,
  keep_hash     INTEGER NOT NULL, by_sets INTEGER NOT NULL DEFAULT 0 CHECK (by_sets IN (0, 1)),
  PRIMARY KEY (question_id, keep_id),
  CHECK (keep_id < question_id)
) STRICT, WITHOUT ROWID;

-- The classes as they are: all their questions but the representative.
CREATE TABLE class_member (
  question_id    INTEGER PRIMARY KEY,
  representative INTEGER NOT NULL,             -- the question at the root: without arrivals the smallest id
  held_by        INTEGER NOT NULL,             -- the question of the class with which it passed the test
  since          INTEGER NOT NULL,             -- the newest iteration when it joined or moved by itself
  text_key       INTEGER,                      -- of arrived questions
  CHECK (representative <> question_id AND held_by <> question_id)
) STRICT;
CREATE INDEX class_member_class ON class_member (representative);
CREATE INDEX class_member_holder ON class_member (held_by) WHERE held_by <> representative;
CREATE INDEX class_member_text ON class_member (text_key, representative, question_id) WHERE text_key IS NOT NULL;

-- Each change of a question's class. Rows are only ever added.
CREATE TABLE class_change (
  id                 INTEGER PRIMARY KEY,
  iteration_id       INTEGER REFERENCES iteration,           -- that made it, or the newest one then
  decision_id        INTEGER REFERENCES decision,            -- that made it
  changed_at         TEXT,                                   -- if neither of these made it
  question_id        INTEGER NOT NULL,
  old_representative INTEGER,                  -- NULL: it was in no class, or represented one
  new_representative INTEGER,                  -- NULL: it is in none now, or represents one
  reason             TEXT    NOT NULL
) STRICT;
CREATE INDEX class_change_question ON class_change (question_id);
CREATE INDEX class_change_left ON class_change (old_representative) WHERE old_representative IS NOT NULL;
CREATE TRIGGER class_change_is_append_only_update BEFORE UPDATE ON class_change
BEGIN SELECT RAISE(ABORT, 'changes of classes are never changed'); END;
CREATE TRIGGER class_change_is_append_only_delete BEFORE DELETE ON class_change
BEGIN SELECT RAISE(ABORT, 'changes of classes are never removed'); END;

-- Questions that came to be added, and are duplicates: in classes, not in the bank.
-- images: hashes of what their figures show, as in the bank.
CREATE TABLE arrived (
  id              INTEGER PRIMARY KEY,
  arrived_at      INTEGER NOT NULL,            -- seconds since 1970
  text            TEXT    NOT NULL,            -- what is compared
  answer          TEXT,
  original_text   TEXT,                        -- NULL: the same
  original_answer TEXT,
  text_key        INTEGER NOT NULL,            -- equal for texts that compare as equal
  entering        INTEGER NOT NULL             -- 1: it is new, and about to be in the bank instead
, images TEXT) STRICT;
CREATE INDEX arrived_time ON arrived (arrived_at);
CREATE INDEX arrived_copies ON arrived (text_key);
CREATE INDEX arrived_entering ON arrived (id) WHERE entering = 1;

-- The different texts among them, where those that may be duplicates of one are next to each other.
CREATE TABLE arrived_text (
  signs    INTEGER NOT NULL,                   -- fingerprint
  length   INTEGER NOT NULL,                   -- of the Han part, in characters
  text_key INTEGER NOT NULL,
  once     INTEGER NOT NULL,                   -- the sketch (refine/duplicate_test.h)
  twice    INTEGER NOT NULL,
  PRIMARY KEY (signs, length, text_key)
) STRICT, WITHOUT ROWID;

-- Pairs that passed the duplicate test when the first of them arrived.
CREATE TABLE arrival_pair (
  question_id   INTEGER NOT NULL,
  other_id      INTEGER NOT NULL,
  distance      INTEGER NOT NULL,
  length        INTEGER NOT NULL,
  confidence    TEXT    NOT NULL CHECK (confidence IN ('safe', 'doubtful')),
  reasons       TEXT    NOT NULL,
  risk          INTEGER NOT NULL CHECK (risk BETWEEN 0 AND 10000),
  question_hash INTEGER NOT NULL,
  other_hash    INTEGER NOT NULL,
  other_expired INTEGER NOT NULL DEFAULT 0, by_sets INTEGER NOT NULL DEFAULT 0 CHECK (by_sets IN (0, 1)),    -- 1: the question hangs on what the other one hung on
  PRIMARY KEY (question_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX arrival_pair_other ON arrival_pair (other_id);

-- The newest change of the bank that these tables have followed, and the rules by which it compares texts.
CREATE TABLE followed_bank (
  identity TEXT    NOT NULL,                   -- of the bank's file
  change   INTEGER NOT NULL,
  rules    TEXT    NOT NULL
) STRICT;
INSERT INTO followed_bank VALUES ('', 0, '');

-- Questions that left the bank while they were listed, or before what hangs on them now came to: what arrived may
-- hang on them until they are not listed. And those that arrived, and lost the last pair that held them in a class.
CREATE TABLE gone_while_listed (
  question_id INTEGER PRIMARY KEY
) STRICT;

-- Log files that an iteration was made of; they are not read again.
CREATE TABLE lake_log (
  path         TEXT    PRIMARY KEY,
  bytes        INTEGER NOT NULL,               -- of the file
  content      TEXT    NOT NULL,               -- checksum of the unpacked bytes
  iteration_id INTEGER NOT NULL REFERENCES iteration,
  lines        INTEGER NOT NULL,
  selected     INTEGER NOT NULL,
  unselected   INTEGER NOT NULL,
  rejected     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The questions of listed pairs, as the last iteration saw them.
CREATE TABLE lake_question (
  id              INTEGER PRIMARY KEY,
  text            TEXT NOT NULL,               -- what is compared
  answer          TEXT,
  original_text   TEXT,                        -- NULL: the same
  original_answer TEXT
) STRICT;

-- How many deletions agree in what the page counts by (db/deletion_tallies.h).
CREATE TABLE deletion_tally (
  status       TEXT    NOT NULL,
  iteration_id INTEGER NOT NULL REFERENCES iteration,
  confidence   TEXT    NOT NULL,
  reasons      TEXT    NOT NULL,
  similarity   INTEGER NOT NULL,               -- whole percent, rounded down
  risk         INTEGER NOT NULL,               -- the least of tallied_risks that theirs are not above
  deletions    INTEGER NOT NULL,
  PRIMARY KEY (status, iteration_id, confidence, reasons, similarity, risk)
) STRICT, WITHOUT ROWID;

-- Iterations have read the evidence up to this id, or are reading it: these rows are not folded.
CREATE TABLE evidence_read (
  last_id INTEGER NOT NULL
) STRICT;
INSERT INTO evidence_read VALUES (0);
CREATE INDEX evidence_of_log ON evidence (log_id) WHERE iteration_id IS NULL;

-- The texts of pairs that were decided one by one: `qdedup learn` needs them when questions have left the bank.
CREATE TABLE decided_text (
  question_id INTEGER NOT NULL,
  hash        INTEGER NOT NULL,                -- as deletion.question_hash and keep_hash
  text        TEXT    NOT NULL,                -- what is compared
  answer      TEXT,
  PRIMARY KEY (question_id, hash)
) STRICT, WITHOUT ROWID;
)sql";

// "qdds" as a number.
constexpr int application_id = 0x71646473;

constexpr int first_version = 20;

constexpr std::array<const char*, 1> steps = {
    // 21
    "DROP INDEX deletion_open; CREATE UNIQUE INDEX deletion_open ON deletion (question_id) WHERE " QDEDUP_OPEN
    "; DROP INDEX deletion_open_keeper; CREATE INDEX deletion_open_keeper ON deletion (keep_id) "
    "WHERE " QDEDUP_OPEN};

const Schema schema{application_id, first_version, definition, steps};

}  // namespace

Result<Store> Store::open(const StateFolder& folder, Access access) {
  const std::string path = folder.store_path();
  QDEDUP_ASSIGN_OR_RETURN(const bool has_store, is_there(path));
  QDEDUP_ASSIGN_OR_RETURN(const bool has_bank, is_there(folder.bank_path()));
  if (!has_store && has_bank) {
    return Error{ErrorCode::data, path + ": is missing, though bank.db is there; nothing was changed. " +
                                      std::string(how_to_mend(path)) +
                                      " (or move bank.db away to begin anew)"};
  }
  QDEDUP_ASSIGN_OR_RETURN(SQLite::Database database, open_database(path, schema, access));
  return Store(path, std::move(database), schema, access);
}

}  // namespace qdedup::db
