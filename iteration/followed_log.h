#pragma once

#include <chrono>
#include <cstddef>
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
//   Fresh       to be verified (compressed), then matched     by LogMatcher::Use: Reading (mine), Done (done,
//                                                             shorter), Copy, Incomplete (wait), Empty;
//                                                             LeftOut; Damaged; Fresh while it is compared
//                                                             (perhaps a copy) or in doubt, and after a
//                                                             failure
//   Empty       too little in it to tell what it will be      Fresh when it changes
//   Reading     open; a plain file stays so at its end        at its end: Done, Incomplete (compressed);
//                                                             Resting (plain, and too many files are open);
//                                                             Damaged; Fresh when it was cut, a compressed
//                                                             file changed, or it or the store failed
//   Resting     plain, at its end and closed                  Fresh when it changes
//   Done        nothing is left to mine                       Fresh when it changes
//   Incomplete  compressed, and cut off                       Fresh when it changes
//   Damaged     compressed, and cannot be unpacked further    Fresh when it changes
//   Copy        of a log that is known                        Fresh when it changes, or nobody follows
//                                                             that log any more
//   LeftOut     a log that somebody forgot, or a part of it   Fresh when it changes or is renamed, or
//                                                             that log is gone
namespace log_state {

struct Fresh {
  bool looks_new = false;  // not any of the known logs, when last matched
  bool in_doubt = false;   // in the last turn: may hide a log that has yet to be found
  bool is_twice_reported = false;
  std::chrono::steady_clock::duration spent{};  // on verifying or comparing it
};
struct Empty {};
struct Reading {
  LogMining mining;
  bool at_end = false;     // in the last look, there was nothing left to read or store
  bool confirmed = false;  // read again after its file system's clock had advanced
  // When to look again although the file shows no change: it ends in space that may be written to without one
  // (mmap).
  std::optional<std::chrono::steady_clock::time_point> look_again{};
};
struct Resting {};
struct Done {
  std::int64_t record_id;
  bool is_shorter = false;  // shorter than what was mined of its log
};
struct Incomplete {
  bool is_mined = false;  // as far as it is complete
};
struct Damaged {};
struct Copy {
  std::int64_t record_id;
};
struct LeftOut {
  std::int64_t record_id;
};
using Any = std::variant<Fresh, Empty, Reading, Resting, Done, Incomplete, Damaged, Copy, LeftOut>;

}  // namespace log_state

// A file that a LogFollower sees, or holds open although its name is gone. Compressed files are open only in
// the states Fresh and Reading; plain ones are closed only if too many files are open. A file that no longer
// matches the globs is forgotten once it is closed or was idle for `rotate_wait`.
struct FollowedLog {
  using Time = std::chrono::steady_clock::time_point;

  log_state::Any state;
  std::string path;  // its current or last path
  std::shared_ptr<const logs::RegularFile> file;
  bool compressed = false;  // false until it was opened once

  bool in_sight = true;  // the globs match it
  bool renamed = false;  // since its record was last looked at
  logs::FileSignature seen;
  Time first_seen;
  Time seen_since;          // it has looked like `seen` since then
  Time last_in_sight;       // when a path last led to it
  Time not_before;          // no attempts before then
  std::uint64_t mined = 0;  // bytes of the file; what was read of it since is not stored
  std::optional<Time> lags_since;

  std::int64_t record_id = 0;  // of the log that it was last matched with
  bool loss = false;           // it was cut or replaced, and that is not stored yet
  // It was read to its end, or what it lacks is stored: a cut found now loses nothing that was not told.
  bool accounted = false;
  bool copy_reported = false;
  bool left_out_reported = false;
  bool all_rejected_reported = false;
  std::size_t comparisons = 0;  // turns in which it was compared, not to its end
  std::optional<Error> problem;
  bool shut = false;         // the problem is that it could not be opened
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

  // Packed, and it is not known yet which of its members are sound.
  [[nodiscard]] bool is_unverified() const;
  // The same, and some of it was unpacked to find out.
  [[nodiscard]] bool is_being_verified() const {
    return is_unverified() && file && file->verification().rest;
  }
  // Being read, or verified before that.
  [[nodiscard]] bool is_begun() const { return reading() != nullptr || is_being_verified(); }

  // The record that has its path although nothing is read of it now; 0 if there is none.
  [[nodiscard]] std::int64_t record_at_rest() const;

  [[nodiscard]] bool is_being_compared() const { return comparisons > 0; }

  // Nothing to do until it changes.
  [[nodiscard]] bool is_finished() const { return reading() ? reading()->at_end : !is<log_state::Fresh>(); }
  [[nodiscard]] bool is_settled(Time now, std::chrono::milliseconds settle_wait) const;
  // Whether there is something to do now. A compressed file must have been unchanged for `settle_wait`.
  [[nodiscard]] bool wants_turn(Time now, std::chrono::milliseconds settle_wait) const;
  [[nodiscard]] std::uint64_t unread() const;  // bytes of the file

  // Records what the file looks like now.
  void observe(const logs::FileSignature& now_seen, Time now);
  // Reads the first bytes; a file that is not open counts as plain for now.
  void inspect();
  // Makes it Fresh, to be matched again.
  void start_over();
};

}  // namespace qdedup::iteration
