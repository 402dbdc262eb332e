#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace qdedup::reference {

// What the clock of a zone shows at each minute of a stretch of time, by the C library.
struct WallClock {
  std::chrono::sys_seconds begin;
  std::vector<std::int64_t> minutes;  // shown at begin, begin + 1 min, …; since it showed 1970-01-01 00:00

  [[nodiscard]] std::chrono::sys_seconds end() const {
    return begin + std::chrono::minutes(static_cast<std::int64_t>(minutes.size()));
  }
};

// Sets TZ, so not for several threads. `begin` is a full minute.
WallClock watch_clock(const std::string& zone, std::chrono::sys_seconds begin, std::chrono::minutes length);

// The slots of schedule::Schedule by looking at the clock each minute: there is one when the clock comes, for
// the first time, to a minute that fits `every`, or skips it.
std::vector<std::chrono::sys_seconds> slots_by_walking(const std::string& every, const WallClock& clock);

}  // namespace qdedup::reference
