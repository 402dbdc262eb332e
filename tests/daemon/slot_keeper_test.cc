#include "daemon/slot_keeper.h"

#include <algorithm>
#include <new>

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

class LogWaitTest : public testing::Test {
 protected:
  // As seen by a look that begins now.
  bool is_over(const LogWait::Progress& progress) {
    wait_.note(progress, begun_);
    return wait_.is_over();
  }

  const LogWait::Time begun_{std::chrono::hours(1)};
  const logs::FileIdentity log_{1, 1};
  const logs::FileIdentity other_{1, 2};
  LogWait wait_{begun_};
};

TEST_F(LogWaitTest, NeedsALookThatBeganAfterIt) {
  wait_.note({}, begun_ - std::chrono::nanoseconds(1));
  EXPECT_FALSE(wait_.is_over());
  EXPECT_TRUE(is_over({}));
}

TEST_F(LogWaitTest, IsForAllThatWasThereAndNothingElse) {
  EXPECT_FALSE(is_over({{log_, {.size = 10, .mined = 0}}, {other_, {.size = 20, .mined = 15}}}));
  EXPECT_EQ(wait_.bytes(), 15U);
  const logs::FileIdentity late{1, 3};
  EXPECT_FALSE(is_over({{log_, {.size = 99, .mined = 10}}, {other_, {.size = 20, .mined = 19}}}));
  EXPECT_EQ(wait_.bytes(), 1U);
  EXPECT_TRUE(is_over({{log_, {.size = 99, .mined = 10}},
                       {other_, {.size = 20, .mined = 20}},
                       {late, {.size = 50, .mined = 0}}}));
}

TEST_F(LogWaitTest, IsNotForALogThatCannotBeRead) {
  EXPECT_FALSE(is_over({{log_, {.size = 10, .mined = 0}}}));
  EXPECT_TRUE(is_over({}));
}

TEST_F(LogWaitTest, IsForTheLogThatComesInPlaceOfAnother) {
  EXPECT_FALSE(is_over({{log_, {.size = 10, .mined = 4}}}));
  EXPECT_FALSE(is_over({{other_, {.size = 3, .mined = 0}}}));
  EXPECT_EQ(wait_.bytes(), 3U);
  EXPECT_TRUE(is_over({{other_, {.size = 3, .mined = 3}}}));
}

TEST_F(LogWaitTest, IsForWhatIsLeftOfALogThatWasCut) {
  EXPECT_FALSE(is_over({{log_, {.size = 10, .mined = 4}}}));
  EXPECT_FALSE(is_over({{log_, {.size = 6, .mined = 0}}}));
  EXPECT_EQ(wait_.bytes(), 6U);
}

class SlotKeeperTest : public testing::Test {
 protected:
  static sys_seconds time(const std::string& text) { return parse_timestamp(text).value(); }

  // A daemon that starts at this moment of the clock, looks once at the schedule and does what is due.
  void start_at(const std::string& text, const std::string& every = "daily 03:00",
                const std::string& zone = "Asia/Shanghai") {
    clock_.time = time(text);
    boost::asio::io_context loop;
    SlotKeeper keeper(loop, schedule::Schedule::parse(every, zone).value(), hours(1), clock_, actions());
    keeper.start();
    loop.poll();
    keeper.stop();
    loop.restart();
    loop.poll();
  }

  SlotKeeper::Actions actions() {
    return {[this](const std::function<void(const SlotKeeper::Recorded&)>& found) { found(recorded_); },
            [this](sys_seconds slot, const std::function<void(const Status&)>& done) {
              ran_.push_back(timestamp(slot));
              if (stays_at_work_) return;
              if (!failure_) record(slot);
              done(failure_ ? Status(*failure_) : Status());
            },
            [this](sys_seconds slot, const std::function<void(const Status&)>& done) {
              record(slot);
              done(Status());
            },
            [this] { ++times_nothing_was_due_; },
            [this](LogWait& wait) { wait.note(logs_, clock_.steady_now()); },
            [this](const std::string& news) { reports_.push_back(news); }};
  }

  void record(sys_seconds slot) {
    recorded_.push_back(slot);
    std::ranges::sort(recorded_);
  }

  StoppedClock clock_;
  std::vector<sys_seconds> recorded_;
  std::vector<std::string> ran_;
  std::optional<Error> failure_;
  bool stays_at_work_ = false;
  int times_nothing_was_due_ = 0;
  LogWait::Progress logs_;
  std::vector<std::string> reports_;
};

TEST_F(SlotKeeperTest, AFreshInstallationDoesNotRunAtOnce) {
  start_at("2026-11-20T10:00:00Z");
  EXPECT_THAT(ran_, IsEmpty());
}

TEST_F(SlotKeeperTest, ASlotThatRanOutOfMemoryIsTriedAgain) {
  start_at("2026-11-20T10:00:00Z");
  clock_.time = time("2026-11-20T19:00:00Z");
  boost::asio::io_context loop;
  SlotKeeper::Actions actions = this->actions();
  bool is_out_of_memory = true;
  actions.iterate = [&, iterate = actions.iterate](sys_seconds slot,
                                                   const std::function<void(const Status&)>& done) {
    if (is_out_of_memory) throw std::bad_alloc();
    iterate(slot, done);
  };
  SlotKeeper keeper(loop, schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value(), hours(0), clock_,
                    actions);
  keeper.start();
  EXPECT_THAT(reports_, ElementsAre(testing::HasSubstr("out of memory")));
  is_out_of_memory = false;
  keeper.retry();
  while (ran_.empty() && loop.run_one() > 0) {
  }
  keeper.stop();
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z"));
}

TEST_F(SlotKeeperTest, AsksWhatIsRecordedOnceAtATime) {
  clock_.time = time("2026-11-20T10:00:00Z");
  boost::asio::io_context loop;
  std::vector<std::function<void(const SlotKeeper::Recorded&)>> asked;
  SlotKeeper::Actions actions = this->actions();
  actions.recorded = [&](const std::function<void(const SlotKeeper::Recorded&)>& found) {
    asked.push_back(found);
  };
  const schedule::Schedule schedule = schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value();
  SlotKeeper keeper(loop, schedule, hours(0), clock_, actions);
  keeper.start();
  keeper.use(schedule, hours(0));
  loop.poll();
  ASSERT_EQ(asked.size(), 1U);
  asked.front()(std::vector<sys_seconds>{time("2026-11-19T19:00:00Z")});
  EXPECT_EQ(times_nothing_was_due_, 1);
  keeper.stop();
}

TEST_F(SlotKeeperTest, SaysWhenNothingIsDueThoughAnIterationFailed) {
  start_at("2026-11-20T10:00:00Z");
  failure_ = Error{ErrorCode::io, "disk full"};
  clock_.time = time("2026-11-20T19:00:00Z");
  boost::asio::io_context loop;
  SlotKeeper keeper(loop, schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value(), hours(0), clock_,
                    actions());
  keeper.start();
  EXPECT_EQ(times_nothing_was_due_, 0);
  record(time("2026-11-20T19:00:00Z"));  // it was stored all the same
  keeper.retry();
  loop.poll();
  EXPECT_EQ(times_nothing_was_due_, 1);
  keeper.stop();
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
  SlotKeeper keeper(loop, schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value(), hours(1), clock_,
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

class WaitingSlot : public SlotKeeperTest {
 protected:
  // Notes the first slot, and comes to the second with a log of which 40 of 100 bytes are mined.
  WaitingSlot() {
    start_at("2026-11-20T10:00:00Z");
    clock_.time = time("2026-11-20T19:00:00Z");
    logs_[log_] = {.size = 100, .mined = 40};
    keeper_.start();
    loop_.poll();
  }
  ~WaitingSlot() override {
    keeper_.stop();
    loop_.poll();
  }

  void move() {
    keeper_.logs_moved();
    loop_.restart();
    loop_.poll();
  }

  const logs::FileIdentity log_{1, 2};
  boost::asio::io_context loop_;
  SlotKeeper keeper_{loop_, schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value(), hours(1),
                     clock_, actions()};
};

TEST_F(WaitingSlot, RunsWhenWhatWasThereIsMined) {
  EXPECT_THAT(ran_, IsEmpty());
  EXPECT_EQ(keeper_.waiting().value().bytes, 60U);
  logs_[log_] = {.size = 300, .mined = 90};
  move();
  EXPECT_THAT(ran_, IsEmpty());
  EXPECT_EQ(keeper_.waiting().value().bytes, 10U);
  logs_[log_].mined = 100;
  move();
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z"));
  EXPECT_FALSE(keeper_.waiting());
  EXPECT_THAT(reports_, ElementsAre(testing::HasSubstr("60 bytes")));
}

TEST_F(WaitingSlot, WaitsNoLongerThanItMay) {
  clock_.steady_time += hours(1) - minutes(1);
  move();
  EXPECT_THAT(ran_, IsEmpty());
  clock_.steady_time += minutes(1);
  move();
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z"));
  EXPECT_THAT(reports_,
              ElementsAre(testing::HasSubstr("waits until"), testing::HasSubstr("waits no longer")));
}

TEST_F(WaitingSlot, PassesItsTimeOnToTheNext) {
  clock_.steady_time += hours(1) - minutes(1);
  clock_.time += hours(24);
  move();
  EXPECT_EQ(timestamp(keeper_.waiting().value().slot), "2026-11-21T19:00:00Z");
  clock_.steady_time += minutes(1);
  move();
  EXPECT_THAT(ran_, ElementsAre("2026-11-21T19:00:00Z"));
}

TEST_F(WaitingSlot, DoesNotWaitAgainWhenItsIterationFails) {
  failure_ = Error{ErrorCode::io, "disk full"};
  logs_[log_].mined = 100;
  move();
  logs_[log_].size = 500;
  failure_.reset();
  keeper_.retry();
  loop_.restart();
  loop_.poll();
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z", "2026-11-20T19:00:00Z"));
}

TEST_F(WaitingSlot, DoesNotWaitWhereItMayNot) {
  keeper_.use(schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value(), std::chrono::seconds(0));
  loop_.restart();
  loop_.poll();
  EXPECT_THAT(ran_, ElementsAre("2026-11-20T19:00:00Z"));
}

TEST_F(WaitingSlot, RunsOnceThoughLogsAreMinedMeanwhile) {
  stays_at_work_ = true;
  keeper_.use(schedule::Schedule::parse("daily 03:00", "Asia/Shanghai").value(), std::chrono::seconds(0));
  for (int turns = 0; turns < 3; ++turns) move();
  EXPECT_EQ(ran_.size(), 1U);
  EXPECT_FALSE(keeper_.waiting());
}

TEST_F(SlotKeeperTest, OffRunsNothing) {
  start_at("2026-11-20T10:00:00Z", "off");
  start_at("2027-11-20T10:00:00Z", "off");
  EXPECT_THAT(ran_, IsEmpty());
  EXPECT_THAT(recorded_, IsEmpty());
}

}  // namespace
}  // namespace qdedup::daemon
