#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/evidence.h"
#include "db/store_writer.h"
#include "iteration/followed_log.h"
#include "iteration/log_matching.h"
#include "logs/files.h"
#include "miner/line_parser.h"

namespace qdedup::iteration {

struct FollowerOptions {
  // A log that no longer matches the globs is kept until it has not grown for this long.
  std::chrono::milliseconds rotate_wait = std::chrono::seconds(60);
  // A compressed file is read once it has not changed for this long.
  std::chrono::milliseconds settle_wait = std::chrono::seconds(1);
  std::uint64_t stretch_lines = 100'000;               // of a log per commit, approximately
  std::size_t stretch_bytes = std::size_t{32} << 20U;  // of a log per commit, at most
  std::size_t max_open_files = 128;                    // beyond this, logs with nothing to read are closed
  std::size_t max_begun = 64;                          // logs to match in a turn, at most
  // Read each log to its end before the next one; otherwise a bounded amount of each per turn.
  bool to_end = false;
  // Called while logs are read, with the number of bytes that this turn has handled.
  std::function<void(std::uint64_t)> progress = [](std::uint64_t) {};

  // For a single turn: reads everything, without waiting for anything.
  static FollowerOptions one_shot();
};

// Something about a log that is reported to the operator once.
struct LogNews {
  enum class Kind {
    problem,         // it cannot be read, or not to its end; `message` begins with the path
    solved,          // a problem is gone
    possible_loss,   // it was cut or replaced, is shorter than what was mined of it, or has NUL bytes among
                     // its lines
    possible_twice,  // some of its lines may have been mined before, from another log
    copy,            // it repeats a log that was already mined
    left_out,        // it is a log that somebody forgot
    all_rejected,    // none of its lines could be used
  };

  Kind kind;
  std::string path;
  std::string message;
};

// How much of a log is still to be mined.
struct LogLag {
  std::uint64_t bytes = 0;  // of the file itself, except an incomplete line at its end
  std::chrono::steady_clock::time_point since;
};

// How far one file has been mined, in bytes of the file itself.
struct LogProgress {
  std::uint64_t size = 0;
  std::uint64_t mined = 0;  // the whole size if only an incomplete line is left
};

// Since the follower was made.
struct FollowerCounters {
  LineTotals totals;
  std::uint64_t bytes_read = 0;     // of the files themselves, compressed or not
  std::uint64_t bytes_mined = 0;    // of the logs, unpacked
  std::uint64_t possible_loss = 0;  // number of times
};

// Follows logs through growth, rotation and restarts, and mines each complete line exactly once. A turn looks
// at all files (log_follower.cc), works on those that have something to do (log_follower_work.cc), and closes
// those that are finished. Never blocks to wait for logs.
//
// Not thread-safe. Nobody else may mine into the same store during a turn; after somebody did, call reload().
class LogFollower {
 public:
  // `files`, `writer` and `clock` (wall clock for records, steady clock for waiting) must outlive it. Fails
  // if the settings are unusable.
  static Result<std::unique_ptr<LogFollower>> create(const config::Settings& settings,
                                                     const FollowerOptions& options, const logs::Files& files,
                                                     db::StoreWriter& writer, const Clock& clock);

  struct Turn {
    bool more = false;  // there is more to read right away
    // When the next turn is due even if nothing happens, if that is before the next poll.
    std::optional<std::chrono::steady_clock::time_point> due;
  };

  // Looks at everything that the globs match now; reads and commits a stretch of the log that lags most, and
  // what was added to the others. Call it when something happened, at each poll, and again while there is
  // `more`. Fails only if the store does. Nothing is lost or counted twice then, because the next turn reads
  // the records from the store again; wait a little before it.
  Result<Turn> turn();
  // The same for these files instead of those that the globs match.
  Result<Turn> turn(const Result<std::vector<std::string>>& paths);

  // Looks at the logs while somebody else mines, or nobody may: only lags() and progress() change.
  void look_on();

  // Continues with new settings; on an error nothing changes. Open logs stay open.
  Status use(const config::Settings& settings, const FollowerOptions& options);

  // Makes the next turn read the records from the store again.
  void reload() { loaded_ = false; }

  // These describe the last turn, whether it succeeded or not.
  [[nodiscard]] std::map<std::string, LogLag> lags() const;  // by path; without logs that do not lag
  // By path; under an empty path, that globs cannot be listed, or logs wait as descriptors ran out.
  [[nodiscard]] const std::map<std::string, Error>& problems() const { return problems_; }
  // Without logs that have a problem.
  [[nodiscard]] std::map<logs::FileIdentity, LogProgress> progress() const;
  [[nodiscard]] FollowedLog::Time looked_at() const { return looked_at_; }
  [[nodiscard]] const FollowerCounters& counters() const { return counters_; }
  [[nodiscard]] std::vector<std::string> waiting() const;  // compressed files that are still incomplete
  [[nodiscard]] const std::map<logs::FileIdentity, FollowedLog>& logs() const { return logs_; }

  // What happened since the last call.
  std::vector<LogNews> take_news() { return std::exchange(news_, {}); }

 private:
  using Time = FollowedLog::Time;
  using Fresh = log_state::Fresh;
  using Empty = log_state::Empty;
  using Reading = log_state::Reading;
  using Resting = log_state::Resting;
  using Done = log_state::Done;
  using Incomplete = log_state::Incomplete;
  using Damaged = log_state::Damaged;
  using Copy = log_state::Copy;
  using LeftOut = log_state::LeftOut;
  struct Place {
    logs::FileSignature file;
    std::vector<std::string> paths;
  };
  using Places = std::map<logs::FileIdentity, Place>;
  using Logs = std::map<logs::FileIdentity, FollowedLog>;

  LogFollower(const config::Settings& settings, miner::LineParser parser, FollowerOptions options,
              const logs::Files& files, db::StoreWriter& writer, const Clock& clock);

  LogMarks marks();
  Status load();
  void look(const Result<std::vector<std::string>>& paths);
  Places find_places(const Result<std::vector<std::string>>& paths);
  void come_into_sight(const Place& place);
  void observe(FollowedLog& log, const Places& places);
  bool open(FollowedLog& log);
  void close(FollowedLog& log);
  // A plain file stays open, because it may be written to even after its name is gone.
  template <class Finished>
  void put_away(FollowedLog& log, Finished how) {
    if (log.compressed || !has_descriptors()) close(log);
    log.state = how;
  }

  Status work();
  Status store_names();
  std::vector<FollowedLog*> wanting(bool (FollowedLog::*is_wanted)() const);
  Status read_grown();
  Status begin_fresh();
  Status read_oldest();
  [[nodiscard]] bool is_in_doubt(const FollowedLog& log, const LogMatcher::Match& match) const;
  bool repeats_one_in_doubt(const FollowedLog& log);

  [[nodiscard]] bool may_verify(const FollowedLog& log) const;
  bool verify(FollowedLog& log, std::uint64_t bytes);

  enum class Newcomers { wait, begin };
  Status begin(FollowedLog& log, Newcomers newcomers);
  Status store(db::LogRecord& record);
  Status store_loss(FollowedLog& log, LogMatcher::Match& match);
  Status store_unread(FollowedLog& log);
  Status pass_by(FollowedLog& log, LogMatcher::Match& match);
  Status leave_out(FollowedLog& log, LogMatcher::Match& match);
  Status go_on_with(FollowedLog& log, LogMatcher::Match match);
  Status take_over(FollowedLog& log, LogMatcher::Match match);
  Status read(FollowedLog& log, std::size_t bytes);
  Status read_to_end(FollowedLog& log);
  Status start_after_cut(FollowedLog& log);
  void finish(FollowedLog& log);
  void fail(FollowedLog& log, const Error& error);
  void fail_attempt(FollowedLog& log, const Error& error, Time::duration spent);
  void note_read(FollowedLog& log);
  void note_unread(FollowedLog& log);
  void note_loss(FollowedLog& log);
  void report_loss(const FollowedLog& log, const char* how);
  void note_twice(FollowedLog& log);
  void report_all_rejected(FollowedLog& log);
  void free_copies_of(std::int64_t record_id);

  [[nodiscard]] bool has_descriptors() const { return matcher_.held().size() < options_.max_open_files; }
  Status let_go();
  Logs::iterator drop(Logs::iterator place, std::vector<std::int64_t>& gone);
  [[nodiscard]] bool is_over(const FollowedLog& log) const;
  void close_idle();
  void report_problems();
  void note_lags();
  [[nodiscard]] Turn outlook();

  config::Settings settings_;
  miner::LineParser parser_;
  FollowerOptions options_;
  const logs::Files& files_;
  db::StoreWriter& writer_;
  const Clock& clock_;
  Time now_;
  Time looked_at_;  // when the last look began
  bool loaded_ = false;
  std::optional<Error> marks_failed_;  // the store did, while a log was matched
  LogMatcher matcher_;
  std::set<std::int64_t> forgotten_;  // records
  Logs logs_;
  // Paths of logs that were read to their end. Whatever appears there next does not hide an unread log.
  std::set<std::string> accounted_;
  // Records of logs whose end was seen: their files were read to the end before they disappeared, or the loss
  // was recorded.
  std::set<std::int64_t> ended_;
  std::map<std::string, Error> found_problems_;  // in this turn, by path
  std::map<std::string, Error> problems_;
  std::uint64_t budget_ = 0;   // bytes that this turn may still read, besides those of the oldest log
  std::size_t verifying_ = 0;  // packed logs that are partly verified
  std::uint64_t passed_ = 0;   // bytes of the files that this turn has finished with
  FollowerCounters counters_;
  std::vector<LogNews> news_;
};

}  // namespace qdedup::iteration
