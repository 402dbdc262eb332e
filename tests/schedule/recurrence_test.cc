#include <gtest/gtest.h>

#include "schedule/schedule.h"

namespace qdedup::schedule {
namespace {

using namespace std::chrono_literals;

LocalSeconds local(int year, unsigned month, unsigned day, std::chrono::seconds time) {
  return std::chrono::local_days(std::chrono::year(year) / std::chrono::month(month) /
                                 std::chrono::day(day)) +
         time;
}

Recurrence parsed(std::string_view every) {
  Result<Recurrence> recurrence = Recurrence::parse(every);
  EXPECT_TRUE(recurrence.ok()) << every;
  return *recurrence;
}

TEST(Recurrence, WeekdaysAreThoseOfTheCalendar) {
  // 2026-03-02 was a Monday.
  const std::string_view days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  for (unsigned i = 0; i < 7; ++i) {
    const Recurrence weekly = parsed(std::string(days[i]) + " 23:59");
    EXPECT_EQ(weekly.latest(local(2026, 3, 9, 0h)), local(2026, 3, 2 + i, 23h + 59min));
    EXPECT_EQ(weekly.period(), 168h);
  }
}

TEST(Recurrence, ATimeIsLatestFromItsFirstSecondOn) {
  const Recurrence daily = parsed("daily 03:30");
  EXPECT_EQ(daily.latest(local(2026, 1, 1, 3h + 30min)), local(2026, 1, 1, 3h + 30min));
  EXPECT_EQ(daily.latest(local(2026, 1, 1, 3h + 29min + 59s)), local(2025, 12, 31, 3h + 30min));
  EXPECT_EQ(parsed("hourly").latest(local(2026, 1, 1, 59min + 59s)), local(2026, 1, 1, 0h));
}

TEST(Recurrence, TimesBefore1970Count) {
  EXPECT_EQ(parsed("daily 12:00").latest(local(1969, 12, 31, 11h)), local(1969, 12, 30, 12h));
  EXPECT_EQ(parsed("Sun 03:00").latest(local(1970, 1, 1, 0h)), local(1969, 12, 28, 3h));
}

TEST(Recurrence, OffIsNever) {
  EXPECT_TRUE(parsed("off").never());
  EXPECT_FALSE(parsed("hourly").never());
}

class NoRecurrence : public testing::TestWithParam<const char*> {};

TEST_P(NoRecurrence, IsRefused) {
  const Result<Recurrence> recurrence = Recurrence::parse(GetParam());
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
