// The schedule at work, with a clock that the test sets.

#include "daemon/slot_keeper.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/stopped_clock.h"

namespace qdedup::daemon {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::sys_seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class SlotKeeperTest : public testing::Test {
 protected:
  static sys_seconds time(const std::string& text) { return parse_timestamp(text).value(); }

  // A daemon that starts at this moment of the clock, looks once at the schedule and does what is due.
  void start_at(const std::string& text, const std::string& every = "daily 03:00",
                const std::string& zone = "Asia/Shanghai") {
    clock_.time = time(text);
    boost::asio::io_context loop;
    SlotKeeper keeper(loop, schedule::Schedule::parse(every, zone).value(), clock_, actions());
    keeper.start();
    loop.poll();
    keeper.stop();
    loop.restart();
    loop.poll();
  }

  SlotKeeper::Actions actions() {
    return {[this] { return Result<std::vector<sys_seconds>>(recorded_); },
            [this](sys_seconds slot, const std::function<void(const Status&)>& done) {
              ran_.push_back(timestamp(slot));
              if (!failure_) record(slot);
              done(failure_ ? Status(*failure_) : Status());
            },
            [this](sys_seconds slot, const std::function<void(const Status&)>& done) {
              record(slot);
              done(Status());
            }};
  }

  void record(sys_seconds slot) {
    recorded_.push_back(slot);
    std::ranges::sort(recorded_);
  }

  StoppedClock clock_;
  std::vector<sys_seconds> recorded_;
  std::vector<std::string> ran_;
  std::optional<Error> failure_;
};

TEST_F(SlotKeeperTest, AFreshInstallationDoesNotRunAtOnce) {
  start_at("2026-11-20T10:00:00Z");
  EXPECT_THAT(ran_, IsEmpty());
}

TEST_F(SlotKeeperTest, ASlotRunsOnceThoughTheDaemonIsRestarted) {
  start_at("2026-11-20T10:00:00Z");
  start_at("2026-11-20T18:59:59Z");
  EXPECT_THAT(ran_, IsEmpty());
  for (const char* now : {"2026-11-20T19:00:00Z", "2026-11-20T19:00:01Z", "2026-11-21T18:59:59Z"})
    start_at(now);
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z"));
}

TEST_F(SlotKeeperTest, OfMissedSlotsTheNewestIsCaughtUpOnce) {
  start_at("2026-11-20T10:00:00Z");
  start_at("2026-12-01T10:00:00Z");
  start_at("2026-12-01T10:00:01Z");
  EXPECT_THAT(ran_, ElementsAre("2026-11-30T19:00:00Z"));
}

TEST_F(SlotKeeperTest, AClockThatIsSetBackRunsNoSlotTwice) {
  start_at("2026-11-20T10:00:00Z");
  start_at("2026-11-20T19:10:00Z");
  start_at("2026-11-20T18:50:00Z");
  start_at("2026-11-20T19:00:00Z");
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z"));
}

TEST_F(SlotKeeperTest, AClockThatWasYearsAheadDoesNotStopTheSchedule) {
  start_at("2026-11-20T10:00:00Z");
  start_at("2030-01-01T10:00:00Z");
  start_at("2026-11-20T19:00:00Z");
  EXPECT_THAT(ran_, ElementsAre("2029-12-31T19:00:00Z", "2026-11-20T19:00:00Z"));
}

TEST_F(SlotKeeperTest, AtTheChangeOfTheClockEachSlotRunsOnce) {
  const char* const zone = "Europe/Berlin";
  start_at("2026-03-28T12:00:00Z", "daily 02:30", zone);
  for (sys_seconds now = time("2026-03-28T12:00:00Z"); now < time("2026-03-30T12:00:00Z");
       now += minutes(10)) {
    start_at(timestamp(now), "daily 02:30", zone);
  }
  // 02:30 was skipped on the 29th: the first moment after the gap is 01:00 UTC.
  EXPECT_THAT(ran_, ElementsAre("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"));
  ran_.clear();
  for (sys_seconds now = time("2026-10-24T12:00:00Z"); now < time("2026-10-26T12:00:00Z");
       now += minutes(10)) {
    start_at(timestamp(now), "daily 02:30", zone);
  }
  EXPECT_THAT(ran_, ElementsAre("2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"));
}

TEST_F(SlotKeeperTest, AFailedSlotStaysDue) {
  start_at("2026-11-20T10:00:00Z");
  failure_ = Error{ErrorCode::io, "disk full"};
  start_at("2026-11-20T19:00:00Z");
  failure_.reset();
  start_at("2026-11-20T19:30:00Z");
  start_at("2026-11-20T20:00:00Z");
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z", "2026-11-20T19:00:00Z"));
}

TEST_F(SlotKeeperTest, AFailedSlotIsTriedAgainAtOnceWhenAskedFor) {
  start_at("2026-11-20T10:00:00Z");
  failure_ = Error{ErrorCode::no_input, "the bank is empty"};
  clock_.time = time("2026-11-20T19:00:00Z");
  boost::asio::io_context loop;
  SlotKeeper keeper(loop, schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value(), clock_,
                    actions());
  keeper.start();
  loop.poll();
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z"));
  failure_.reset();
  keeper.retry();
  loop.poll();
  keeper.retry();
  loop.poll();
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z", "2026-11-20T19:00:00Z"));
  keeper.stop();
  loop.poll();
}

TEST_F(SlotKeeperTest, OffRunsNothing) {
  start_at("2026-11-20T10:00:00Z", "off");
  start_at("2027-11-20T10:00:00Z", "off");
  EXPECT_THAT(ran_, IsEmpty());
  EXPECT_THAT(recorded_, IsEmpty());
}

}  // namespace
}  // namespace qdedup::daemon
