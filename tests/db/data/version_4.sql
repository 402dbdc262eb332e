-- qdedup.db of schema version 4, as the program of that version left it after two sweeps, with a deletion
-- re-pointed, approved, applied, rejected and withdrawn each.
PRAGMA application_id = 1902404723;
CREATE TABLE cluster_size (
  iteration_id INTEGER NOT NULL REFERENCES iteration,
  size         INTEGER NOT NULL,
  clusters     INTEGER NOT NULL,
  PRIMARY KEY (iteration_id, size)
) STRICT, WITHOUT ROWID;
INSERT INTO "cluster_size" VALUES(1,7,1);
INSERT INTO "cluster_size" VALUES(2,9,1);
CREATE TABLE decision (
  id          INTEGER PRIMARY KEY,
  deletion_id INTEGER NOT NULL REFERENCES deletion,
  decided_at  TEXT    NOT NULL,
  decided_by  TEXT    NOT NULL,
  old_status  TEXT    NOT NULL,
  new_status  TEXT    NOT NULL,
  note        TEXT    NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "decision" VALUES(1,4,'2026-11-20T17:07:12Z','qdedup','pending','withdrawn','text-changed');
INSERT INTO "decision" VALUES(2,3,'2026-11-20T17:07:20Z','ann','pending','rejected','');
INSERT INTO "decision" VALUES(3,1,'2026-11-20T17:07:20Z','ann','pending','approved','');
INSERT INTO "decision" VALUES(4,2,'2026-11-20T17:07:20Z','ann','pending','approved','');
INSERT INTO "decision" VALUES(5,2,'2026-11-20T17:07:20Z','ann','approved','applied','');
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
INSERT INTO "deletion" VALUES(1,1,6,1,1,5,'doubtful','asks-else','approved',8957347139117295167,-7673742376286695377,'');
INSERT INTO "deletion" VALUES(2,1,7,1,0,5,'safe','','applied',-7673742376286695377,-7673742376286695377,'');
INSERT INTO "deletion" VALUES(3,1,11,10,1,5,'doubtful','asks-else','rejected',-7850391741914443962,3814470229759829792,'');
INSERT INTO "deletion" VALUES(4,1,12,10,0,5,'safe','','withdrawn',3814470229759829792,3814470229759829792,'');
INSERT INTO "deletion" VALUES(5,2,5,1,0,5,'safe','','pending',-7673742376286695377,-7673742376286695377,'');
INSERT INTO "deletion" VALUES(6,2,20,12,0,5,'safe','','pending',6393030913774640193,6393030913774640193,'');
INSERT INTO "deletion" VALUES(7,2,21,12,1,5,'doubtful','asks-else','pending',-5855427951363990637,6393030913774640193,'');
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
, withheld INTEGER NOT NULL DEFAULT 0, released_at TEXT NOT NULL DEFAULT '', released_by TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "iteration" VALUES(1,'sweep','2026-11-20T17:07:10Z','2026-11-20T17:07:11Z','0.1.0','{"min_top_score":0.5,"min_score":0.3,"max_cluster_size":200,"min_similarity":80,"similarity":"levenshtein"}',0,0,0,0,0,7,0,0,1,7,0,4,0,0,0,0,'','');
INSERT INTO "iteration" VALUES(2,'sweep','2026-11-20T17:07:11Z','2026-11-20T17:07:12Z','0.1.0','{"min_top_score":0.5,"min_score":0.3,"max_cluster_size":200,"min_similarity":80,"similarity":"levenshtein"}',0,0,0,0,0,9,0,0,1,9,0,3,2,0,1,0,'','');
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
, file_size INTEGER NOT NULL DEFAULT 0, file_modified_ns INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE rejection (
  log_id INTEGER NOT NULL REFERENCES log,
  reason TEXT    NOT NULL,
  lines  INTEGER NOT NULL,
  PRIMARY KEY (log_id, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE reopened (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  question_id INTEGER NOT NULL,
  keep_id     INTEGER NOT NULL
) STRICT;
CREATE TABLE repointing (
  id           INTEGER PRIMARY KEY,
  deletion_id  INTEGER NOT NULL REFERENCES deletion,
  iteration_id INTEGER NOT NULL REFERENCES iteration,
  old_keep_id  INTEGER NOT NULL,
  new_keep_id  INTEGER NOT NULL
) STRICT;
INSERT INTO "repointing" VALUES(1,1,2,5,1);
INSERT INTO "repointing" VALUES(2,2,2,5,1);
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
CREATE TABLE score (
  bucket INTEGER PRIMARY KEY,                  -- doc/formats.md
  lists  INTEGER NOT NULL,                     -- whose best score is in the bucket
  pairs  INTEGER NOT NULL                      -- whose score is in the bucket
) STRICT;
CREATE TABLE slot (
  at          INTEGER PRIMARY KEY,             -- seconds since 1970, UTC
  recorded_at TEXT    NOT NULL
) STRICT;
CREATE INDEX evidence_unconsumed ON evidence (id) WHERE iteration_id IS NULL;
CREATE INDEX evidence_kept ON evidence (iteration_id) WHERE iteration_id IS NOT NULL AND lists IS NOT NULL;
CREATE UNIQUE INDEX deletion_open ON deletion (question_id) WHERE status IN ('pending', 'approved', 'applied');
CREATE INDEX deletion_open_keeper ON deletion (keep_id) WHERE status IN ('pending', 'approved', 'applied');
CREATE INDEX deletion_pair ON deletion (question_id, keep_id);
CREATE INDEX deletion_rejected ON deletion (question_id, keep_id) WHERE status = 'rejected';
CREATE INDEX decision_deletion ON decision (deletion_id);
CREATE TRIGGER decision_is_append_only_update BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
CREATE TRIGGER decision_is_append_only_delete BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never removed'); END;
CREATE INDEX deletion_queue ON deletion (status, keep_id, question_id);
PRAGMA user_version = 4;
