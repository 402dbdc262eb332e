#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "iteration/log_mining.h"
#include "logs/files.h"

namespace qdedup::iteration {

// What a FollowedLog is. What becomes of each:
//
//   state       stands for                                    next
//   Fresh       to be matched with the known logs             by LogMatcher::Use: Reading (mine), Done (done,
//                                                             shorter), Copy, Incomplete (wait), Empty;
//                                                             Damaged; Fresh while it is in doubt, and after
//                                                             a failure
//   Empty       too little in it to tell what it will be      Fresh when it changes
//   Reading     open; a plain file stays so at its end        at its end: Done, Incomplete (compressed);
//                                                             Resting (plain, and too many files are open);
//                                                             Damaged; Fresh when it was cut, a compressed
//                                                             file changed, or it or the store failed
//   Resting     plain, at its end and closed                  Fresh when it changes
//   Done        nothing is left to mine                       Fresh when it changes
//   Incomplete  compressed, and cut off                       Fresh when it changes
//   Damaged     compressed, and cannot be unpacked further    Fresh when it changes
//   Copy        of a log that is known                        Fresh when it changes, or that log is gone
namespace log_state {

struct Fresh {
  bool looks_new = false;  // none of the known logs, as it was matched last
  bool in_doubt = false;   // may hide a log that is yet to be found; as of the last turn
};
struct Empty {};
struct Reading {
  LogMining mining;
  bool at_end = false;     // as of the last look, nothing is left to read or to store
  bool confirmed = false;  // read once more, after the clock of its file system had moved on
};
struct Resting {};
struct Done {
  bool is_shorter = false;  // it has less than what was mined of its log
};
struct Incomplete {
  bool is_mined = false;  // as far as it is complete
};
struct Damaged {};
struct Copy {
  std::int64_t record_id;
};
using Any = std::variant<Fresh, Empty, Reading, Resting, Done, Incomplete, Damaged, Copy>;

}  // namespace log_state

// A file that a LogFollower sees, or holds open although its name is gone. Compressed ones are closed in all
// states but Fresh and Reading; plain ones only where too many files are open. Once it left the globs, it is
// forgotten when it is closed, or was idle for `rotate_wait`.
struct FollowedLog {
  using Time = std::chrono::steady_clock::time_point;

  log_state::Any state;
  std::string path;  // where it is, or was last
  std::shared_ptr<const logs::RegularFile> file;
  bool compressed = false;  // false until it was open once

  bool in_sight = true;  // the globs lead to it
  logs::FileSignature seen;
  Time first_seen;
  Time seen_since;     // it has been like that
  Time last_in_sight;  // a path led to it
  Time not_before;     // it is not tried before then
  std::optional<Time> lags_since;

  std::int64_t record_id = 0;  // of the log that it was last
  bool loss = false;           // it was cut or replaced, and the store does not know yet
  bool copy_reported = false;
  std::optional<Error> problem;
  miner::LineCounts counts;  // of the lines mined since it was first seen

  template <class Wanted>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<Wanted>(state);
  }
  [[nodiscard]] log_state::Reading* reading() { return std::get_if<log_state::Reading>(&state); }
  [[nodiscard]] const log_state::Reading* reading() const { return std::get_if<log_state::Reading>(&state); }
  [[nodiscard]] bool looks_new() const {
    return is<log_state::Fresh>() && std::get<log_state::Fresh>(state).looks_new;
  }
  [[nodiscard]] bool in_doubt() const {
    return is<log_state::Fresh>() && std::get<log_state::Fresh>(state).in_doubt;
  }

  // Nothing is to be done until it changes.
  [[nodiscard]] bool is_finished() const { return reading() ? reading()->at_end : !is<log_state::Fresh>(); }
  [[nodiscard]] bool is_settled(Time now, std::chrono::milliseconds settle_wait) const;
  // Is there something to do now? A compressed file must not have changed for `settle_wait`.
  [[nodiscard]] bool wants_turn(Time now, std::chrono::milliseconds settle_wait) const;
  [[nodiscard]] std::uint64_t unread() const;  // bytes of the file

  // Notes what the file looks like now.
  void observe(const logs::FileSignature& now_seen, Time now);
  // Looks at the first bytes; a file that is not open counts as a plain one for now.
  void inspect();
  // To be matched again.
  void start_over();
};

}  // namespace qdedup::iteration
