#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/schedule.h"
#include "tests/schedule/moments.h"
#include "tests/support/sampled.h"

namespace qdedup::schedule {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_seconds;
using testing::ElementsAre;
using testing::IsEmpty;

// A daemon that looks at a clock which the test sets.
class Watch {
 public:
  explicit Watch(const std::string& every, const std::string& zone = "Europe/Berlin")
      : schedule_(*Schedule::parse(every, zone)) {}

  void look(sys_seconds now) {
    const Due found = due(schedule_, now, {recorded_.begin(), recorded_.end()});
    if (found.action == Due::Action::nothing) return;
    EXPECT_LE(found.slot, now);
    if (found.action == Due::Action::run) runs_.push_back(found.slot);
    EXPECT_TRUE(recorded_.insert(found.slot).second) << "a slot was recorded twice";
  }

  // Looks each minute from `begin` to `end`.
  void watch(sys_seconds begin, sys_seconds end) {
    for (sys_seconds now = begin; now <= end; now += 1min) look(now);
  }

  [[nodiscard]] const std::vector<sys_seconds>& runs() const { return runs_; }
  [[nodiscard]] const std::set<sys_seconds>& recorded() const { return recorded_; }

  void change(const std::string& every, const std::string& zone) {
    schedule_ = *Schedule::parse(every, zone);
  }

 private:
  Schedule schedule_;
  std::set<sys_seconds> recorded_;
  std::vector<sys_seconds> runs_;
};

TEST(Due, AFreshInstallDoesNotRunAtOnce) {
  Watch watch("daily 03:00", "UTC");
  watch.watch(utc(2026, 5, 1, 12), utc(2026, 5, 2, 2, 59));
  EXPECT_THAT(watch.runs(), IsEmpty());
  watch.look(utc(2026, 5, 2, 3));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 2, 3)));
}

TEST(Due, EachSlotRunsOnce) {
  Watch watch("hourly", "UTC");
  watch.watch(utc(2026, 5, 1, 12), utc(2026, 5, 1, 14, 30));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 1, 13), utc(2026, 5, 1, 14)));
}

TEST(Due, OneRunCatchesUpOnAllThatWasMissed) {
  Watch watch("daily 03:00", "UTC");
  watch.look(utc(2026, 5, 1, 12));
  watch.watch(utc(2026, 5, 9, 17), utc(2026, 5, 9, 18));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 9, 3)));
}

TEST(Due, AClockThatIsPutForwardOverTheSlotRunsItOnce) {
  Watch watch("daily 03:00", "UTC");
  watch.watch(utc(2026, 5, 1, 12), utc(2026, 5, 2, 2, 50));
  watch.watch(utc(2026, 5, 2, 3, 20), utc(2026, 5, 2, 4));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 2, 3)));
}

TEST(Due, AClockThatIsPutBackOverTheSlotDoesNotRunItAgain) {
  Watch watch("daily 03:00", "UTC");
  watch.watch(utc(2026, 5, 1, 12), utc(2026, 5, 2, 3, 10));
  watch.watch(utc(2026, 5, 2, 2, 30), utc(2026, 5, 2, 12));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 2, 3)));
  watch.watch(utc(2026, 4, 20), utc(2026, 5, 1, 23));
  EXPECT_THAT(watch.recorded(), testing::Contains(utc(2026, 4, 20))) << "noted, as it is before all records";
}

TEST(Due, AClockThatWasYearsAheadDoesNotStopTheSchedule) {
  Watch watch("Sun 03:00", "UTC");
  watch.look(utc(2026, 5, 1));
  watch.look(utc(2099, 5, 1));
  watch.watch(utc(2026, 5, 1), utc(2026, 5, 11));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2099, 4, 26, 3), utc(2026, 5, 3, 3), utc(2026, 5, 10, 3)));
}

TEST(Due, AFirstStartWithAClockThatIsAheadDoesNotRunAtOnceWhenItIsSetRight) {
  Watch watch("Sun 03:00", "UTC");
  watch.look(utc(2099, 5, 1));
  watch.watch(utc(2026, 5, 1), utc(2026, 5, 4));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 3, 3)));
}

TEST(Due, SummerTimeBeginsAndEndsWithOneRunADay) {
  Watch watch("daily 02:30");
  watch.watch(utc(2026, 3, 27, 12), utc(2026, 3, 30, 12));
  EXPECT_THAT(watch.runs(),
              ElementsAre(utc(2026, 3, 28, 1, 30), utc(2026, 3, 29, 1), utc(2026, 3, 30, 0, 30)));
  Watch autumn("daily 02:30");
  autumn.watch(utc(2026, 10, 23, 12), utc(2026, 10, 26, 12));
  EXPECT_THAT(autumn.runs(),
              ElementsAre(utc(2026, 10, 24, 0, 30), utc(2026, 10, 25, 0, 30), utc(2026, 10, 26, 1, 30)));
}

TEST(Due, ASparserScheduleDoesNotRunWhatLiesBeforeTheLastRun) {
  Watch watch("hourly", "UTC");
  watch.watch(utc(2026, 5, 6, 11), utc(2026, 5, 6, 13, 30));
  watch.change("Sun 03:00", "UTC");
  watch.watch(utc(2026, 5, 6, 13, 31), utc(2026, 5, 10, 4));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 6, 12), utc(2026, 5, 6, 13), utc(2026, 5, 10, 3)));
}

TEST(Due, AFreshInstallThatGetsItsTimeZoneWaitsForItsFirstSlotToo) {
  Watch watch("Sun 03:00", "Asia/Shanghai");
  watch.look(utc(2026, 5, 5, 10));
  watch.change("Sun 03:00", "Europe/Berlin");
  watch.look(utc(2026, 5, 5, 10, 1));
  watch.change("daily 09:55", "UTC");
  watch.watch(utc(2026, 5, 5, 10, 2), utc(2026, 5, 6, 9, 54));
  EXPECT_THAT(watch.runs(), IsEmpty());
  watch.look(utc(2026, 5, 6, 9, 55));
  EXPECT_THAT(watch.runs(), ElementsAre(utc(2026, 5, 6, 9, 55)));
}

TEST(Due, OffIsNothing) {
  Watch watch("off");
  watch.watch(utc(2026, 5, 1), utc(2026, 5, 9));
  EXPECT_THAT(watch.recorded(), IsEmpty());
}

// However the clock jumps: no slot is recorded twice (look() checks it), and once the clock goes on for more
// than a period without a jump, each slot that comes is recorded.
TEST(Due, RandomClocks) {
  std::mt19937_64 random(11);
  for (int round = 0; round < sampled(200); ++round) {
    const bool hourly = round % 2 == 0;
    const auto period = hourly ? 1h : 24h;
    const Schedule schedule = *Schedule::parse(hourly ? "hourly" : "daily 02:30", "Europe/Berlin");
    Watch watch(hourly ? "hourly" : "daily 02:30");
    sys_seconds now = utc(2026, 3, 20) + std::chrono::minutes(random() % 20'000);
    for (int jump = 0; jump < 10; ++jump) {
      now += std::chrono::minutes(static_cast<std::int64_t>(random() % 20'000) - 10'000);
      const sys_seconds end = now + period * 3 + std::chrono::minutes(random() % 100);
      watch.watch(now, end);
      for (auto slot = schedule.next_slot(now); *slot <= end; slot = schedule.next_slot(*slot)) {
        ASSERT_TRUE(watch.recorded().contains(*slot)) << round;
      }
      now = end;
    }
  }
}

}  // namespace
}  // namespace qdedup::schedule
