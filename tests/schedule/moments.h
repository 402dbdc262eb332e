#pragma once

#include <chrono>

namespace qdedup::schedule {

// 2026-03-29 01:00:00 UTC: utc(2026, 3, 29, 1).
inline std::chrono::sys_seconds utc(int year, unsigned month, unsigned day, int hour = 0, int minute = 0,
                                    int second = 0) {
  return std::chrono::sys_days(std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day)) +
         std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
}

}  // namespace qdedup::schedule
