#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "schedule/recurrence.h"
#include "schedule/time_zone.h"

namespace qdedup::schedule {

// When iterations run: the moments ("slots") at which the clock of a time zone reaches each time of a
// recurrence. A time that the clock skips is reached at the first moment after the gap; a time that it shows
// twice is reached once, the first time. So hourly slots are two hours apart where the clock is put back by
// one. Slots are the same whoever asks, and when. Pure: the moment comes from the caller.
class Schedule {
 public:
  // Both as the config has them: ("Sun 03:00", "Asia/Shanghai"). ErrorCode::config.
  static Result<Schedule> parse(const std::string& every, const std::string& time_zone);

  // The newest slot that is not after `now`; none when the schedule is off.
  [[nodiscard]] std::optional<std::chrono::sys_seconds> latest_slot(std::chrono::sys_seconds now) const;

  // The first slot after `now`; none when the schedule is off.
  [[nodiscard]] std::optional<std::chrono::sys_seconds> next_slot(std::chrono::sys_seconds now) const;

 private:
  Schedule(Recurrence recurrence, TimeZone zone) : recurrence_(recurrence), zone_(zone) {}

  // The last time of the recurrence that the clock has reached at `now`.
  [[nodiscard]] LocalSeconds latest_reached(std::chrono::sys_seconds now) const;

  Recurrence recurrence_;
  TimeZone zone_;
};

}  // namespace qdedup::schedule
