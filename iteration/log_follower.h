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
  // A log that left the globs is kept until it has not grown for so long.
  std::chrono::milliseconds rotate_wait = std::chrono::seconds(60);
  // A compressed file is read when it has not changed for so long.
  std::chrono::milliseconds settle_wait = std::chrono::seconds(1);
  std::uint64_t stretch_lines = 100'000;               // of a log that are committed at once, and some more
  std::size_t stretch_bytes = std::size_t{32} << 20U;  // of a log that are committed at once, at most
  std::size_t max_open_files = 128;                    // logs with nothing to read are closed beyond that
  // A turn reads each log to its end before the next one; else a bounded amount of each.
  bool to_end = false;
  // Called while logs are read, with the bytes of the files that this turn is done with.
  std::function<void(std::uint64_t)> progress = [](std::uint64_t) {};

  // For a single turn: reads all there is, and waits for nothing.
  static FollowerOptions one_shot();
};

// What an operator should see once about a log.
struct LogNews {
  enum class Kind {
    problem,         // it cannot be read, or not to its end; `message` begins with the path
    solved,          // a problem is gone
    possible_loss,   // it was cut or replaced, or holds less than was mined of it: what came then may be lost
    possible_twice,  // some of its lines may have been mined before, from another log
    copy,            // it repeats a log that is mined already
  };

  Kind kind;
  std::string path;
  std::string message;
};

// What is still to be mined of a log.
struct LogLag {
  std::uint64_t bytes = 0;  // of the file itself; the beginning of a line that is not complete does not count
  std::chrono::steady_clock::time_point since;
};

// How far one file is mined, in bytes of the file itself.
struct LogProgress {
  std::uint64_t size = 0;
  std::uint64_t mined = 0;  // to the end where only the beginning of a line is left
};

// Since the follower was made.
struct FollowerCounters {
  db::LineTotals totals;
  std::uint64_t bytes_read = 0;     // of the files themselves, packed where they are
  std::uint64_t possible_loss = 0;  // how many times
};

// Follows logs through growth, rotation and restarts, and mines each complete line exactly once. A turn looks
// at all files (log_follower.cc), works on those that have something to do (log_follower_work.cc), and closes
// those that are over. Nothing here waits.
//
// One thread at a time. Nobody else may mine into the same store during a turn; after somebody did, reload().
class LogFollower {
 public:
  // `files`, `writer` and `clock` (wall clock for records, steady clock for waiting) are to outlive it. Fails
  // where the settings cannot be used.
  static Result<std::unique_ptr<LogFollower>> create(const config::Settings& settings,
                                                     const FollowerOptions& options, const logs::Files& files,
                                                     db::StoreWriter& writer, const Clock& clock);

  struct Turn {
    bool more = false;  // there is more to read at once
    // When the next turn is due even if nothing happens, should that be sooner than the next poll.
    std::optional<std::chrono::steady_clock::time_point> due;
  };

  // Looks at all that the globs match now; reads and commits one stretch of the log that lags most, and what
  // was added to the others. To be called when something happened, at each poll, and again while there is
  // more. Fails only when the store does; nothing is lost or counted twice, as the next turn reads the
  // records from the store again: wait a little before it.
  Result<Turn> turn();
  // The same with these files in place of what the globs match.
  Result<Turn> turn(const Result<std::vector<std::string>>& paths);

  // Goes on with new settings; with an error nothing changes. Logs that are open stay so.
  Status use(const config::Settings& settings, const FollowerOptions& options);

  // Reads the records from the store again before the next turn.
  void reload() { loaded_ = false; }

  // As of the last turn.
  [[nodiscard]] std::map<std::string, LogLag> lags() const;  // by path; logs that do not lag are absent
  // By path; under an empty path, that logs wait as no descriptor is left.
  [[nodiscard]] const std::map<std::string, Error>& problems() const { return problems_; }
  [[nodiscard]] std::map<logs::FileIdentity, LogProgress> progress() const;  // but of logs with a problem
  [[nodiscard]] const FollowerCounters& counters() const { return counters_; }
  [[nodiscard]] std::vector<std::string> waiting() const;  // compressed files that are not complete yet
  [[nodiscard]] const std::map<logs::FileIdentity, FollowedLog>& logs() const { return logs_; }

  // What happened since it was asked last, each once.
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
  using Places = std::map<logs::FileIdentity, std::vector<std::string>>;

  LogFollower(const config::Settings& settings, miner::LineParser parser, FollowerOptions options,
              const logs::Files& files, db::StoreWriter& writer, const Clock& clock);

  Status load();
  void look(const Result<std::vector<std::string>>& paths);
  Places find_places(const Result<std::vector<std::string>>& paths);
  void come_into_sight(const logs::FileIdentity& identity, const std::vector<std::string>& paths);
  void observe(FollowedLog& log, const Places& places);
  bool open(FollowedLog& log);
  void close(FollowedLog& log);
  // A plain file stays open: it may be written to when its name has gone.
  template <class Finished>
  void put_away(FollowedLog& log, Finished how) {
    if (log.compressed || !has_descriptors()) close(log);
    log.state = how;
  }

  Status work();
  template <class State>
  std::vector<FollowedLog*> wanting();
  Status read_grown();
  Status begin_fresh();
  Status read_oldest();
  [[nodiscard]] bool is_in_doubt(const FollowedLog& log, const LogMatcher::Match& match) const;
  [[nodiscard]] bool repeats_one_in_doubt(const FollowedLog& log) const;

  enum class Newcomers { wait, begin };
  Status begin(FollowedLog& log, Newcomers newcomers);
  Status store_loss(FollowedLog& log, LogMatcher::Match& match);
  void pass_by(FollowedLog& log, const LogMatcher::Match& match);
  Status go_on_with(FollowedLog& log, LogMatcher::Match match);
  Status take_over(FollowedLog& log, LogMatcher::Match match);
  Status read(FollowedLog& log, std::size_t bytes);
  Status read_to_end(FollowedLog& log);
  Status start_after_cut(FollowedLog& log);
  void finish(FollowedLog& log);
  void fail(FollowedLog& log, const Error& error);
  void note_loss(FollowedLog& log);
  void free_copies_of(std::int64_t record_id);

  [[nodiscard]] bool has_descriptors() const { return matcher_.held_files() < options_.max_open_files; }
  void let_go();
  [[nodiscard]] bool is_over(const FollowedLog& log) const;
  void close_idle();
  void report_problems();
  [[nodiscard]] Turn outlook();

  config::Settings settings_;
  miner::LineParser parser_;
  FollowerOptions options_;
  const logs::Files& files_;
  db::StoreWriter& writer_;
  const Clock& clock_;
  Time now_;
  bool loaded_ = false;
  LogMatcher matcher_;
  std::map<logs::FileIdentity, FollowedLog> logs_;
  // Paths of logs that are read to their end, wherever they go: what comes after them there hides nothing.
  std::set<std::string> accounted_;
  // Records of logs whose end was seen: their files were read to it before they went, or the loss was noted.
  std::set<std::int64_t> ended_;
  std::map<std::string, Error> found_problems_;  // in this turn, by path
  std::map<std::string, Error> problems_;
  std::uint64_t budget_ = 0;  // bytes that this turn may read yet, beside the oldest log's
  std::uint64_t passed_ = 0;  // bytes of the files that this turn is done with
  FollowerCounters counters_;
  std::vector<LogNews> news_;
};

}  // namespace qdedup::iteration
