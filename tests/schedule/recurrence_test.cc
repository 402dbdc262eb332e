#include <gtest/gtest.h>

#include "schedule/schedule.h"
#include "tests/schedule/moments.h"

namespace qdedup::schedule {
namespace {

using std::chrono::sys_seconds;

// The latest of these times by a clock that shows UTC.
std::optional<sys_seconds> latest(const std::string& every, sys_seconds time) {
  const Result<Schedule> schedule = Schedule::parse(every, "UTC");
  EXPECT_TRUE(schedule.ok()) << every;
  return schedule->latest_slot(time);
}

TEST(Recurrence, WeekdaysAreThoseOfTheCalendar) {
  // 2026-03-02 was a Monday.
  const std::string_view days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  for (unsigned i = 0; i < 7; ++i) {
    const std::string weekly = std::string(days[i]) + " 23:59";
    EXPECT_EQ(latest(weekly, utc(2026, 3, 9)), utc(2026, 3, 2 + i, 23, 59));
    EXPECT_EQ(latest(weekly, utc(2026, 3, 16)), utc(2026, 3, 9 + i, 23, 59));
  }
}

TEST(Recurrence, ATimeIsLatestFromItsFirstSecondOn) {
  EXPECT_EQ(latest("daily 03:30", utc(2026, 1, 1, 3, 30)), utc(2026, 1, 1, 3, 30));
  EXPECT_EQ(latest("daily 03:30", utc(2026, 1, 1, 3, 29, 59)), utc(2025, 12, 31, 3, 30));
  EXPECT_EQ(latest("hourly", utc(2026, 1, 1, 0, 59, 59)), utc(2026, 1, 1));
}

TEST(Recurrence, TimesBefore1970Count) {
  EXPECT_EQ(latest("daily 12:00", utc(1969, 12, 31, 11)), utc(1969, 12, 30, 12));
  EXPECT_EQ(latest("Sun 03:00", utc(1970, 1, 1)), utc(1969, 12, 28, 3));
}

class NoRecurrence : public testing::TestWithParam<const char*> {};

TEST_P(NoRecurrence, IsRefused) {
  const Result<Recurrence> recurrence = parse_recurrence(GetParam());
  ASSERT_FALSE(recurrence.ok());
  EXPECT_EQ(recurrence.error().code, ErrorCode::config);
}

INSTANTIATE_TEST_SUITE_P(Recurrence, NoRecurrence,
                         testing::Values("", "daily", "daily ", "Sun", "sun 03:00", "Sunday 03:00",
                                         "Sun 3:00", "Sun 24:00", "Sun 23:60", "Sun 03:00 ", "Sun  03:00",
                                         " Sun 03:00", "Sun 03-00", "Sun 0a:00", "Sun 03:0/", "hourly 03:00",
                                         "off 03:00", "03:00", "Sun 03:00:00", "Sun\t03:00"));

}  // namespace
}  // namespace qdedup::schedule
