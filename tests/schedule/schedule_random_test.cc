// Schedule against its slow twin, which looks at the clock of the C library each minute.

#include <algorithm>
#include <ostream>
#include <random>

#include <gtest/gtest.h>

#include "schedule/schedule.h"
#include "tests/reference/slot_walking.h"
#include "tests/schedule/moments.h"
#include "tests/support/sampled.h"

namespace qdedup::schedule {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_seconds;

struct Stretch {
  const char* zone;
  int year;
  int years;
};

void PrintTo(const Stretch& stretch, std::ostream* out) { *out << stretch.zone << ' ' << stretch.year; }

class WalkedSchedule : public testing::TestWithParam<Stretch> {
 protected:
  static reference::WallClock watched() {
    const auto [zone, year, years] = GetParam();
    const sys_seconds begin = utc(year, 1, 1);
    return reference::watch_clock(
        zone, begin, std::chrono::duration_cast<std::chrono::minutes>(utc(year + years, 1, 1) - begin));
  }
};

void expect_agreement(const Schedule& schedule, const std::vector<sys_seconds>& slots, sys_seconds now) {
  const auto next = std::ranges::upper_bound(slots, now);
  if (next == slots.begin() || next == slots.end()) return;
  ASSERT_EQ(schedule.latest_slot(now), *(next - 1)) << now.time_since_epoch().count();
  ASSERT_EQ(schedule.next_slot(now), *next) << now.time_since_epoch().count();
}

TEST_P(WalkedSchedule, HasTheSameSlots) {
  const reference::WallClock clock = watched();
  std::mt19937_64 random(7);
  for (const char* every : {"hourly", "daily 00:00", "daily 01:59", "daily 02:30", "Sun 02:00", "Sun 02:15",
                            "Sun 03:00", "Sat 00:00", "Sat 23:59", "Fri 12:07"}) {
    SCOPED_TRACE(every);
    const Result<Schedule> schedule = Schedule::parse(every, GetParam().zone);
    ASSERT_TRUE(schedule.ok());
    const std::vector<sys_seconds> slots = reference::slots_by_walking(every, clock);
    ASSERT_GE(slots.size(), 50U * static_cast<unsigned>(GetParam().years));
    for (const sys_seconds slot : slots) {
      for (const auto offset : {-1s, 0s, 1s, 1799s}) expect_agreement(*schedule, slots, slot + offset);
    }
    for (int i = 0; i < sampled(2000); ++i) {
      const auto second = random() % (clock.minutes.size() * 60);
      expect_agreement(*schedule, slots, clock.begin + std::chrono::seconds(second));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Zones, WalkedSchedule,
    testing::Values(Stretch{"Asia/Shanghai", 2025, 2}, Stretch{"Asia/Shanghai", 1986, 3},
                    Stretch{"Europe/Berlin", 2024, 3}, Stretch{"America/New_York", 2024, 3},
                    Stretch{"Australia/Lord_Howe", 2024, 3}, Stretch{"UTC", 2025, 1},
                    Stretch{"America/Sao_Paulo", 2016, 3}, Stretch{"Africa/Casablanca", 2024, 3},
                    Stretch{"Pacific/Apia", 2010, 3}, Stretch{"Pacific/Chatham", 2025, 2},
                    Stretch{"Europe/Berlin", 2036, 2}));

}  // namespace
}  // namespace qdedup::schedule
