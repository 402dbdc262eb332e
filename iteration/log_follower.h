#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/evidence.h"
#include "iteration/mining_store.h"
#include "logs/files.h"

namespace qdedup::iteration {

class Following;

// How a LogFollower goes about it.
struct FollowerOptions {
  // So long a log that left the globs is kept after it grew last.
  std::chrono::milliseconds rotate_wait = std::chrono::seconds(60);
  // A compressed file is read when it stayed the same for so long.
  std::chrono::milliseconds settle_wait = std::chrono::seconds(1);
  std::size_t stretch_bytes = std::size_t{32} << 20U;  // of a log that are committed at once, at most
  std::size_t most_open_files = 128;                   // logs with nothing to read are closed beyond that
};

// Something about one log that an operator should see once.
struct LogNews {
  enum class Kind {
    problem,        // it cannot be read, or not to its end; `message` begins with the path
    solved,         // a problem is gone
    possible_loss,  // it was cut or replaced: what was written in between may be lost
    copy,           // it repeats a log that is mined already
  };

  Kind kind;
  std::string path;
  std::string message;
};

// What is not mined of one log yet.
struct LogLag {
  std::uint64_t bytes = 0;  // of the file itself; the beginning of a line that is not complete does not count
  std::chrono::steady_clock::time_point since;
};

// What this follower did since it was made.
struct FollowerCounters {
  db::LineTotals totals;
  std::uint64_t bytes_read = 0;     // of the files themselves, packed where they are
  std::uint64_t possible_loss = 0;  // how many times
};

// Follows all logs that the globs of the settings match, through growth, rotation and restarts, and mines
// each complete line exactly once. The same code as mine_logs, and the same results.
//
// One thread at a time; nothing here waits. Nobody else may mine into the same store during a turn; call
// reload() after somebody did.
class LogFollower {
 public:
  // `files`, `store` and `clock` (wall clock for records, steady clock for waiting) are to outlive it. An
  // error: the settings cannot be used.
  static Result<LogFollower> create(const config::Settings& settings, const FollowerOptions& options,
                                    const logs::Files& files, const MiningStore& store, const Clock& clock);

  LogFollower(LogFollower&&) noexcept;
  LogFollower& operator=(LogFollower&&) = delete;
  LogFollower(const LogFollower&) = delete;
  LogFollower& operator=(const LogFollower&) = delete;
  ~LogFollower();

  struct Turn {
    bool more = false;  // there is more to read at once
    // When the next turn is due even if nothing happens, should that be sooner than the next poll.
    std::optional<std::chrono::steady_clock::time_point> due;
  };

  // Looks at all that the globs match now; reads and commits one stretch of the log that lags most, and what
  // was added to the others. To be called when something happened, at each poll, and again while there is
  // more. Fails only when the store does; nothing is lost or counted twice then, and the next turn reads the
  // records from the store again: wait a little before it.
  Result<Turn> turn();

  // Goes on with new settings; with an error nothing changes. Logs that are open stay so.
  Status use(const config::Settings& settings);

  // Reads the records from the store again before the next turn.
  void reload();

  // As of the last turn.
  [[nodiscard]] std::map<std::string, LogLag> lags() const;  // by path; logs that do not lag are absent
  [[nodiscard]] const std::map<std::string, std::string>& problems() const;  // path → reason
  [[nodiscard]] const FollowerCounters& counters() const;
  [[nodiscard]] std::vector<std::string> waiting() const;  // compressed files that are not complete yet

  // What happened since it was asked last, each once.
  std::vector<LogNews> take_news();

 private:
  explicit LogFollower(std::unique_ptr<Following> following);

  std::unique_ptr<Following> following_;
};

}  // namespace qdedup::iteration
