#include "schedule/schedule.h"

#include <gtest/gtest.h>

#include "tests/schedule/moments.h"

namespace qdedup::schedule {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_seconds;

Schedule parsed(const std::string& every, const std::string& zone) {
  Result<Schedule> schedule = Schedule::parse(every, zone);
  if (!schedule.ok()) throw std::runtime_error(schedule.error().message);
  return *schedule;
}

// The slot before `now` and the one after it, with nothing between.
void expect_slots(const Schedule& schedule, sys_seconds latest, sys_seconds now, sys_seconds next) {
  EXPECT_EQ(schedule.latest_slot(now), latest);
  EXPECT_EQ(schedule.next_slot(now), next);
  EXPECT_EQ(schedule.next_slot(latest), next);
  EXPECT_EQ(schedule.latest_slot(next - 1s), latest);
  EXPECT_EQ(schedule.latest_slot(next), next);
}

TEST(Schedule, SundaysInShanghaiAreSaturdayEveningsInUtc) {
  expect_slots(parsed("Sun 03:00", "Asia/Shanghai"), utc(2026, 11, 14, 19), utc(2026, 11, 20),
               utc(2026, 11, 21, 19));
}

TEST(Schedule, ATimeThatIsSkippedIsTheFirstMomentAfterTheGap) {
  // Berlin, 2026-03-29: 02:00 becomes 03:00 at 01:00 UTC.
  expect_slots(parsed("daily 02:30", "Europe/Berlin"), utc(2026, 3, 28, 1, 30), utc(2026, 3, 29, 0, 59, 59),
               utc(2026, 3, 29, 1));
  expect_slots(parsed("Sun 02:00", "Europe/Berlin"), utc(2026, 3, 29, 1), utc(2026, 4, 1),
               utc(2026, 4, 5, 0));
  expect_slots(parsed("hourly", "Europe/Berlin"), utc(2026, 3, 29, 1), utc(2026, 3, 29, 1, 30),
               utc(2026, 3, 29, 2));
}

TEST(Schedule, ATimeThatIsShownTwiceIsTheFirst) {
  // Berlin, 2026-10-25: 03:00 becomes 02:00 at 01:00 UTC; 02:30 is shown at 00:30 and at 01:30 UTC.
  expect_slots(parsed("daily 02:30", "Europe/Berlin"), utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 1, 30),
               utc(2026, 10, 26, 1, 30));
  expect_slots(parsed("hourly", "Europe/Berlin"), utc(2026, 10, 25, 0), utc(2026, 10, 25, 1, 30),
               utc(2026, 10, 25, 2));
  expect_slots(parsed("daily 03:00", "Europe/Berlin"), utc(2026, 10, 24, 1), utc(2026, 10, 25, 1, 30),
               utc(2026, 10, 25, 2));
}

TEST(Schedule, HalfHoursCount) {
  // Lord Howe puts the clock on by 30 minutes, from 02:00 to 02:30: 2026-10-04, 15:30 UTC of the day before.
  expect_slots(parsed("hourly", "Australia/Lord_Howe"), utc(2026, 10, 3, 15, 30), utc(2026, 10, 3, 15, 45),
               utc(2026, 10, 3, 16));
}

TEST(Schedule, ADayThatIsSkippedIsReachedAtTheNext) {
  // Samoa left out 2011-12-30 (a Friday).
  expect_slots(parsed("Fri 03:00", "Pacific/Apia"), utc(2011, 12, 30, 10), utc(2011, 12, 31),
               utc(2012, 1, 5, 13));
}

TEST(Schedule, OffHasNoSlots) {
  const Schedule off = parsed("off", "UTC");
  EXPECT_EQ(off.latest_slot(utc(2026, 1, 1)), std::nullopt);
  EXPECT_EQ(off.next_slot(utc(2026, 1, 1)), std::nullopt);
}

TEST(Schedule, TellsWhichPartIsWrong) {
  const Result<Schedule> no_time = Schedule::parse("weekly", "UTC");
  ASSERT_FALSE(no_time.ok());
  EXPECT_EQ(no_time.error().message,
            "schedule.every: must be \"Sun 03:00\" (or another day), \"daily 03:00\", \"hourly\" or \"off\"");
  for (const char* name : {"", "Mars/Olympus", "../etc/passwd", "Europe", "europe/berlin", "+08:00"}) {
    const Result<Schedule> no_zone = Schedule::parse("hourly", name);
    ASSERT_FALSE(no_zone.ok()) << name;
    EXPECT_EQ(no_zone.error().code, ErrorCode::config);
    EXPECT_EQ(no_zone.error().message, "schedule.time_zone: no time zone \"" + std::string(name) +
                                           "\" in the system's database (package tzdata)");
  }
}

}  // namespace
}  // namespace qdedup::schedule
