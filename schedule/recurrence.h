#pragma once

#include <chrono>
#include <string_view>

#include "base/result.h"
#include "schedule/time_zone.h"

namespace qdedup::schedule {

// Times of the local clock that come again and again: each Sunday at 03:00, say.
class Recurrence {
 public:
  // "Sun 03:00" (Mon Tue Wed Thu Fri Sat Sun), "daily 03:00", "hourly" (each full hour) or "off" (never).
  static Result<Recurrence> parse(std::string_view every);

  [[nodiscard]] bool never() const { return period_ == std::chrono::seconds(0); }

  // From one time to the next; 0 for never.
  [[nodiscard]] std::chrono::seconds period() const { return period_; }

  // The last of the times that is not after `time`. Not for never.
  [[nodiscard]] LocalSeconds latest(LocalSeconds time) const;

 private:
  Recurrence(std::chrono::seconds period, std::chrono::seconds phase) : period_(period), phase_(phase) {}

  std::chrono::seconds period_;
  std::chrono::seconds phase_;  // of the first of the times in 1970
};

}  // namespace qdedup::schedule
