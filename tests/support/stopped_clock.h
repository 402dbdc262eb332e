#pragma once

#include <chrono>

#include "base/clock.h"

namespace qdedup {

// A clock that stands where the test put it.
class StoppedClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::system_clock::time_point now() const override { return time; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady_now() const override { return steady_time; }

  std::chrono::system_clock::time_point time;
  std::chrono::steady_clock::time_point steady_time;
};

}  // namespace qdedup
