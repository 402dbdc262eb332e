#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "iteration/log_matching.h"
#include "iteration/log_mining.h"
#include "logs/file_signature.h"

namespace qdedup::iteration {

// A file that a LogFollower has in sight, or holds although its name is gone.
struct FollowedLog {
  using Time = std::chrono::steady_clock::time_point;

  enum class Standing {
    fresh,       // to be matched with the logs that are known
    reading,     // `mining` goes on with it
    resting,     // read to its end, and closed to save descriptors
    done,        // a compressed file that was mined to its end
    incomplete,  // a compressed file that is cut off
    damaged,     // a compressed file that cannot be unpacked any further
    copy,        // of the log with the id `copy_of`
  };

  LogMatcher::Identity identity;
  std::string path;      // where it stands, or stood last
  bool in_sight = true;  // the globs lead to it
  LogMatcher::File file;
  std::optional<LogMining> mining;
  Standing standing = Standing::fresh;

  logs::FileSignature seen;
  Time first_seen;
  Time seen_since;                              // it has been like that
  Time in_sight_before;                         // a path led to it at that time
  std::optional<logs::FileSignature> finished;  // as `seen` was when there was nothing left to do
  bool confirmed = false;  // looked at once more, after the clock of its file system had moved on
  Time not_before;         // nothing is tried until then
  std::optional<Time> lags_since;

  bool compressed = false;
  bool looks_new = false;  // is none of the logs that were known when it was looked at
  bool in_doubt = false;   // may hide a log that is yet to be found; as of the last turn

  std::int64_t record_id = 0;  // of the log that it was last
  std::int64_t copy_of = 0;
  // Of a former copy, unless it changed: how far the log that it repeats was mined.
  std::optional<std::uint64_t> covered;
  bool loss = false;  // it was cut or replaced, and the store does not know yet
  std::optional<std::string> problem;

  // Takes note of what the file looks like now.
  void observe(const logs::FileSignature& now_seen, Time now);

  // Looks at the first bytes; unless the file is open, it is taken for a plain one for the time being.
  void inspect();

  // Is there something to be done now? A compressed file must have stayed the same for `settle_wait`.
  [[nodiscard]] bool wants_turn(Time now, std::chrono::milliseconds settle_wait) const;
  [[nodiscard]] bool is_settled(Time now, std::chrono::milliseconds settle_wait) const;
  [[nodiscard]] bool is_finished() const { return finished == seen; }

  // Bytes of the file that are to be read yet.
  [[nodiscard]] std::uint64_t unread() const;

  // To be matched again.
  void start_over();
  // Nothing to do until it changes.
  void put_away(Standing how);
};

}  // namespace qdedup::iteration
