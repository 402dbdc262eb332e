#include "tests/reference/slot_walking.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace qdedup::reference {
namespace {

constexpr std::array<const char*, 7> names = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

bool fits(const std::string& every, std::int64_t minute) {
  std::time_t seconds = minute * 60;
  std::tm shown{};
  gmtime_r(&seconds, &shown);
  if (every == "hourly") return shown.tm_min == 0;
  std::array<char, 8> time{};
  std::snprintf(time.data(), time.size(), "%02d:%02d", shown.tm_hour % 100, shown.tm_min % 100);
  return every == std::string("daily ") + time.data() ||
         every == std::string(names.at(static_cast<std::size_t>(shown.tm_wday))) + " " + time.data();
}

}  // namespace

WallClock watch_clock(const std::string& zone, std::chrono::sys_seconds begin, std::chrono::minutes length) {
  setenv("TZ", (":" + zone).c_str(), 1);
  tzset();
  WallClock clock{begin, {}};
  for (std::int64_t i = 0; i < length.count(); ++i) {
    const std::time_t now = begin.time_since_epoch().count() + i * 60;
    std::tm shown{};
    localtime_r(&now, &shown);
    clock.minutes.push_back(timegm(&shown) / 60);
  }
  return clock;
}

std::vector<std::chrono::sys_seconds> slots_by_walking(const std::string& every, const WallClock& clock) {
  std::vector<std::chrono::sys_seconds> slots;
  std::int64_t reached = clock.minutes.front() - 1;
  for (std::size_t i = 0; i < clock.minutes.size(); ++i) {
    bool slot = false;
    for (; reached < clock.minutes[i]; ++reached) slot = slot || fits(every, reached + 1);
    if (slot) slots.push_back(clock.begin + std::chrono::minutes(static_cast<std::int64_t>(i)));
  }
  return slots;
}

}  // namespace qdedup::reference
