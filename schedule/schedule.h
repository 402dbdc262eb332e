#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace date {
class time_zone;
}

namespace qdedup::schedule {

// Times that recur on a local clock: each Sunday at 03:00, say.
struct Recurrence {
  std::chrono::seconds period{0};  // 0: never
  std::chrono::seconds phase{0};   // when the first time is, since the clock showed 1970-01-01 00:00
};

// "Sun 03:00" (Mon Tue Wed Thu Fri Sat Sun), "daily 03:00", "hourly" (on the hour) or "off" (never).
Result<Recurrence> parse_recurrence(std::string_view every);

// Of the system's IANA database (Debian package tzdata), by name: "Asia/Shanghai", "UTC". Read by Howard
// Hinnant's date library, which knows changes of the clock up to 2037; it lives as long as the process.
Result<const date::time_zone*> find_time_zone(const std::string& name);

// When iterations run: the moments ("slots") at which the clock of a time zone reaches each time of a
// recurrence. A time that the clock skips counts as reached at the first moment after the gap; one that it
// shows twice counts once, the first time.
class Schedule {
 public:
  // As in the config: ("Sun 03:00", "Asia/Shanghai"). Fails with ErrorCode::config.
  static Result<Schedule> parse(const std::string& every, const std::string& time_zone);

  // The newest slot that is not after `now`; none if the schedule is off.
  [[nodiscard]] std::optional<std::chrono::sys_seconds> latest_slot(std::chrono::sys_seconds now) const;

  // The first slot after `now`; none if the schedule is off.
  [[nodiscard]] std::optional<std::chrono::sys_seconds> next_slot(std::chrono::sys_seconds now) const;

 private:
  Schedule(Recurrence recurrence, const date::time_zone* zone) : recurrence_(recurrence), zone_(zone) {}

  // When the clock first shows `local`, or skips it.
  [[nodiscard]] std::chrono::sys_seconds first_moment(std::chrono::local_seconds local) const;
  // The last time of the recurrence that the clock has reached by `now`.
  [[nodiscard]] std::chrono::local_seconds latest_reached(std::chrono::sys_seconds now) const;

  Recurrence recurrence_;
  const date::time_zone* zone_;
};

// What is due at a moment.
struct Due {
  enum class Action {
    nothing,  // the newest slot is done, or the schedule is off
    note,     // record `slot`, this moment, without an iteration: the schedule counts from here on
    run,      // run an iteration for `slot`, then record it
  };
  Action action = Action::nothing;
  std::chrono::sys_seconds slot{};
};

// What is due at `now`, given the recorded slots, oldest first. The newest of these that is not after `now`
// decides:
//
//   newest recorded slot     newest slot of the schedule
//   none                     has no run: a fresh start, or the clock is before all that was recorded. The
//                            moment is noted, so that no other schedule runs for what was before it
//   before it                is run; missed slots between the two are not
//   the same, or after it    is done
//
// So each slot runs at most once, however the clock is set or the machine sleeps, and of several missed slots
// only the newest runs. Slots recorded while the clock was far ahead lie after `now` once it is corrected,
// and do not count until then.
Due due(const Schedule& schedule, std::chrono::sys_seconds now,
        const std::vector<std::chrono::sys_seconds>& recorded);

}  // namespace qdedup::schedule
