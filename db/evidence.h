#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_totals.h"
#include "base/result.h"
#include "db/log_marks.h"
#include "db/store.h"

namespace qdedup::db {

// A log as it was when last mined. The hashes identify its content (logs::LogMark).
struct LogRecord {
  std::int64_t id = 0;
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;  // since 1970; 0 if not known
  std::uint64_t offset = 0;
  std::uint64_t head_hash = 0;
  std::uint64_t tail_hash = 0;
  std::string last_mined_at;
  LineTotals totals;
  // For a compressed log, the file's when it was read to its end; both 0 before that. While they stay the
  // same, it contains nothing new.
  std::uint64_t file_size = 0;
  std::int64_t file_modified_ns = 0;  // since 1970
  // The file was cut or replaced after it had been mined under another record: lines written in between may
  // be lost, unless they are in another log. Once set, stays set until somebody acknowledges it.
  bool possible_loss = false;
  // Some of its lines may have been counted before, as part of another log. Likewise.
  bool possible_twice = false;
  std::uint32_t first_line = 0;  // its hash (logs::line_hash); 0 if not known
  // Somebody took it out, with all that had been mined of it: it is known by its content, and left out.
  std::string forgotten_at;  // empty: it is mined
  std::string forgotten_by;
  std::string acknowledged_at;  // when a possible loss, or lines counted twice, were last; empty: never
  std::string acknowledged_by;

  [[nodiscard]] bool is_forgotten() const { return !forgotten_at.empty(); }
};

// How many scores fell into one bucket of miner::ScoreHistogram.
struct ScoreCount {
  std::uint64_t bucket = 0;
  std::uint64_t lists = 0;
  std::uint64_t pairs = 0;

  friend bool operator==(const ScoreCount&, const ScoreCount&) = default;
};

// The result of mining one stretch of a log. The evidence and the log's new offset must be stored together.
struct MinedStretch {
  LogRecord log;                   // after the stretch; id 0 if the log is new; totals are not used
  std::uint64_t begin_offset = 0;  // where the stretch begins; it ends at log.offset
  LineTotals totals;               // of the stretch
  double min_top_score = 0;        // the selection settings
  double min_score = 0;
  std::string lists;  // evidence chunk (miner::encode_evidence)
  // Makes one chunk of two (miner::join_evidence); none: the stretch becomes a row of its own, however small.
  std::function<Result<std::string>(std::string_view older, std::string_view newer)> join;
  std::vector<ScoreCount> scores;
  std::vector<LogMarkRecord> marks;  // of its lines, in order
};

// What is waiting for an iteration.
struct UnconsumedEvidence {
  std::int64_t last_id = 0;  // the newest one's; 0 if there is none
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
  std::uint64_t unselected = 0;
  std::uint64_t rejected = 0;
  std::uint64_t bytes = 0;  // of chunks
  std::string since;        // when the first of the selected was mined; empty if there is none
};

class Evidence {
 public:
  explicit Evidence(Store& store) : store_(store) {}

  // All logs ever mined, by id.
  Result<std::vector<LogRecord>> logs();

  // Adds a stretch and advances its log's offset, in one transaction. A stretch without lines only updates
  // the log (its name, for example), which counts as mined then only if its offset advances. A new log may
  // begin at any offset. Returns the log's id.
  // ErrorCode::busy, with nothing changed, if the log's stored offset is not `begin_offset`, so another
  // process has mined it meanwhile, or if there are lines and the log was forgotten.
  //
  // Small stretches of a log are folded into one row: of each log at most three rows wait for an iteration,
  // and one for each 128 KiB of chunks. Adding one copies 8 KiB, and beyond that each byte some twenty times.
  Result<std::int64_t> append(const MinedStretch& stretch, const std::string& mined_at);

  // Stores the paths of these logs, in one transaction.
  Status rename(const std::vector<LogRecord>& logs);

  // The marks of one log, by offset.
  Result<std::vector<LogMarkRecord>> marks(std::int64_t log_id);

  // The first ones of each of these logs, in order of their offsets; none for a log without marks.
  Result<std::map<std::int64_t, std::vector<LogMarkRecord>>> first_marks(
      const std::vector<std::int64_t>& log_ids, const LogMarkLimits& limits);

  Result<UnconsumedEvidence> unconsumed();

  // The same for an iteration that reads these rows and then consumes them: from now on they stay as they
  // are.
  Result<UnconsumedEvidence> hold_unconsumed();

  // Over all lines ever mined, by bucket; empty buckets are left out. One from `buckets` on is damage.
  Result<std::vector<ScoreCount>> scores(std::size_t buckets);

  // Passes each unconsumed chunk up to evidence id `last_id` to `take`, oldest first, until a call fails.
  Status for_each_unconsumed(std::int64_t last_id, const std::function<Status(std::string_view chunk)>& take);

  // Passes each chunk that is still kept, consumed or not, to `take`, newest first, until a call returns
  // false or fails.
  Status for_each_kept(const std::function<Result<bool>(std::string_view chunk)>& take);

 private:
  Store& store_;
};

}  // namespace qdedup::db
