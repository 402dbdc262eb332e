#include "iteration/log_follower.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/iteration/log_following.h"
#include "tests/support/file_lease.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;

TEST_F(LogFollowing, MinesWhatIsThereAndWhatIsAdded) {
  write("app.log", numbered_lines(0, 10));
  turns();
  expect_all(0, 10);
  append("app.log", numbered_lines(10, 20));
  turns();
  append("app.log", numbered_lines(20, 21));
  turns();
  expect_all(0, 21);
  expect_no_loss();
  EXPECT_EQ(follower->counters().totals.lines, 21U);
  EXPECT_EQ(follower->counters().bytes_read, numbered_lines(0, 21).size());
}

TEST_F(LogFollowing, WritesNothingWhenNothingHappened) {
  write("app.log", numbered_lines(0, 10));
  settle();
  const std::string before = must(db::Evidence(sample.store).logs()).at(0).last_mined_at;
  sample.clock.time += 1h;
  settle();
  restart();
  settle();
  EXPECT_EQ(must(db::Evidence(sample.store).logs()).at(0).last_mined_at, before);
}

TEST_F(LogFollowing, ANewFollowerGoesOn) {
  write("app.log", numbered_lines(0, 10));
  turns();
  append("app.log", numbered_lines(10, 20));
  restart();
  turns();
  expect_all(0, 20);
  expect_no_loss();
}

// Fault 21.
TEST_F(LogFollowing, ALineCountsWhenItIsComplete) {
  const std::string line = numbered_line(1);
  write("app.log", numbered_line(0) + line.substr(0, 5));
  turns();
  expect_all(0, 1);
  EXPECT_THAT(follower->lags(), IsEmpty());
  append("app.log", line.substr(5));
  turns();
  expect_all(0, 2);
}

// By such names AddressSanitizer leaves them out.
using LargeBacklog = LogFollowing;

TEST_F(LargeBacklog, NewLinesDoNotWaitForABacklog) {
  options.stretch_bytes = 4'000'000;
  restart();
  for (int i = 0; i < 3; ++i) {
    write("app.log." + std::to_string(3 - i), numbered_lines(i * 200'000, (i + 1) * 200'000));
  }
  must(follower->turn());
  write("app.log", numbered_lines(600'000, 600'001));
  must(follower->turn());
  EXPECT_THAT(mined(), Contains(600'000));
  EXPECT_LT(mined().size(), 600'000U);
  turns();
  expect_all(0, 600'001);
}

// A hole costs its writer nothing.
TEST_F(LogFollowing, NewLogsDoNotWaitForAHole) {
  write("app.log.1", numbered_line(0));
  std::filesystem::resize_file(log("app.log.1"), std::uintmax_t{1} << 40U);
  append("app.log.1", "1");
  write("app.log", numbered_lines(1, 11));
  must(follower->turn());
  must(follower->turn());
  EXPECT_THAT(mined(), Contains(10));
}

TEST_F(LogFollowing, ALineIsReadAsItIsWhenItIsComplete) {
  const std::string line = numbered_line(7);
  write("app.log", numbered_line(0) + numbered_line(3).substr(0, line.size() / 2));
  settle();
  write("app.log", numbered_line(0) + line);
  settle();
  EXPECT_THAT(mined(), ElementsAre(0, 7));
}

// Logs of several turns.
class LongLogs : public LogFollowing {
 protected:
  LongLogs() {
    options.stretch_bytes = 2'000'000;
    restart();
  }

  // Each line that is added to app.log from 400,001 on is mined in the next turn, for several turns, while
  // `is_busy`.
  void expect_mined_at_once(const std::function<bool()>& is_busy) {
    int end = 400'001;
    for (must(follower->turn()); is_busy(); must(follower->turn())) {
      ASSERT_LT(end, 401'000);
      EXPECT_EQ(mined().back(), end - 1);
      append("app.log", numbered_line(end++));
    }
    EXPECT_GT(end, 400'003);
    settle();
    expect_all(0, end);
    expect_no_loss();
  }
};

class LargeCopies : public LongLogs {
 protected:
  void copy(const std::string& from, const std::string& to) const {
    std::filesystem::copy_file(log(from), log(to), std::filesystem::copy_options::overwrite_existing);
  }
};

TEST_F(LargeCopies, AreComparedWhileOthersAreMined) {
  write("app.log.1", numbered_lines(0, 400'000));
  settle();
  copy("app.log.1", "app.log.2");
  write("app.log", numbered_line(400'000));
  expect_mined_at_once([&] { return news(LogNews::Kind::copy).empty(); });
}

// Each holds up nobody, however many there are and however long they are.
TEST_F(LongLogs, AreHolesAndLetOthersBegin) {
  options.max_begun = 2;
  restart();
  for (const std::string name : {"app.log.1", "app.log.2", "app.log.3", "app.log.4"}) {
    write(name, numbered_line(0));
    std::filesystem::resize_file(log(name), std::uintmax_t{1} << 40U);
  }
  for (int i = 0; i < 4; ++i) must(follower->turn());
  write("app.log", numbered_lines(1, 11));
  for (int i = 0; i < 4; ++i) must(follower->turn());
  EXPECT_EQ(mined(), numbers(0, 11));
}

// Two begin with the same lines, and a copy of the second is compared with both.
TEST_F(LargeCopies, AreComparedWithSeveralLogs) {
  write("app.log.1", numbered_lines(0, 400'000));
  settle();
  write("app.log.2", numbered_lines(0, 300'000) + numbered_lines(400'000, 400'001));
  settle();
  const std::vector<int> before = mined();
  copy("app.log.2", "app.log.3");
  settle();
  EXPECT_EQ(mined(), before);
  EXPECT_THAT(news(LogNews::Kind::copy), ElementsAre("app.log.3"));
  append("app.log.3", numbered_lines(400'001, 400'010));
  settle();
  EXPECT_EQ(mined().size(), before.size() + 9);
}

// While what replaced it is compared, its copy goes on with its record.
TEST_F(LargeCopies, DoNotHideALoss) {
  write("app.log", numbered_lines(0, 400'000));
  write("app.log.2", numbered_lines(400'000, 400'010));
  settle();
  follower.reset();
  copy("app.log.2", "app.log.1");
  write("app.log.2", numbered_lines(0, 300'000));
  append("app.log.1", numbered_lines(400'010, 400'020));
  restart();
  settle();
  expect_all(0, 400'020);
  EXPECT_EQ(follower->counters().possible_loss, 1U);
  EXPECT_THAT(possible_losses(), testing::SizeIs(1));
}

class PackedLogs : public LongLogs {
 protected:
  // Looks at what is there, and lets the packed files be old enough to be read.
  void look() {
    must(follower->turn());
    pass(2s);
  }

  // It takes several turns to verify.
  void write_packed() const { write("app.log.9.gz", packed("gzip -1", numbered_lines(0, 400'000))); }

  [[nodiscard]] long being_verified() const {
    return std::ranges::count_if(follower->logs(),
                                 [](const auto& entry) { return entry.second.is_being_verified(); });
  }
};

TEST_F(PackedLogs, AreVerifiedWhileOthersAreMined) {
  write_packed();
  write("app.log", numbered_line(400'000));
  look();
  expect_mined_at_once([&] { return being_verified() > 0; });
}

using LargePackedLogs = PackedLogs;

TEST_F(LargePackedLogs, AreVerifiedFewAtATime) {
  for (int i = 0; i < 12; ++i) {
    const std::string lines = numbered_lines(i * 100'000, (i + 1) * 100'000);
    write("app.log." + std::to_string(i) + ".gz", packed("gzip -1", lines));
  }
  write("app.log", numbered_lines(1'200'000, 1'200'001));
  look();
  must(follower->turn());
  EXPECT_THAT(mined(), Contains(1'200'000));
  EXPECT_GT(being_verified(), 1);
  EXPECT_LE(being_verified(), 8);
  turns();
  expect_all(0, 1'200'001);
}

// One that is being verified may be the log whose path the new one has.
TEST_F(LargePackedLogs, AreNoLossHoweverLongTheyAreVerified) {
  write("app.log", numbered_lines(0, 400'000));
  settle();
  follower.reset();
  append("app.log", numbered_lines(400'000, 400'010));
  pack("app.log", "gzip -1", ".1.gz");
  write("app.log", numbered_lines(400'010, 400'020));
  restart();
  look();
  int turns_spent = 0;
  for (must(follower->turn()); being_verified() > 0 && turns_spent < 1'000; must(follower->turn())) {
    pass(70s);
    ++turns_spent;
  }
  EXPECT_GT(turns_spent, 2);
  settle();
  expect_all(0, 400'020);
  expect_no_loss();
}

TEST_F(LargePackedLogs, AreVerifiedAnewWhenTheyChange) {
  write_packed();
  look();
  must(follower->turn());
  EXPECT_EQ(being_verified(), 1);
  const std::string whole = sample.folder.read("logs/app.log.9.gz");
  std::string damaged = whole;
  damaged[damaged.size() - 5] ^= 1;
  write("app.log.9.gz", damaged);
  settle();
  EXPECT_THAT(mined(), IsEmpty());
  EXPECT_THAT(follower->problems(), testing::SizeIs(1));
  write("app.log.9.gz", whole);
  settle();
  expect_all(0, 400'000);
}

// Fault 17.
TEST_F(LogFollowing, LogsThatBeginAlikeAndEmptyOnes) {
  write("app.log", numbered_lines(0, 100));
  write("app.log.b", numbered_lines(0, 90) + numbered_lines(100, 110));
  write("app.log.c", "");
  write("app.log.d", "");
  settle();
  EXPECT_EQ(totals().lines, 200U);
  append("app.log.c", numbered_lines(200, 201));
  append("app.log.d", numbered_lines(201, 202));
  settle();
  EXPECT_EQ(totals().lines, 202U);
  expect_no_loss();
}

// Fault 18.
TEST_F(LogFollowing, ALogThatIsRemovedWhileItIsOpenIsReadToItsEnd) {
  write("app.log", numbered_lines(0, 10));
  turns();
  append("app.log", numbered_lines(10, 20));
  remove("app.log");
  turns();
  expect_all(0, 20);
  pass(61s);
  turns();
  write("app.log", numbered_lines(20, 30));
  turns();
  expect_all(0, 30);
  expect_no_loss();
}

TEST_F(LogFollowing, AFolderThatGoesAndComesBack) {
  write("app.log", numbered_lines(0, 10));
  turns();
  std::filesystem::rename(path("logs"), path("away"));
  settle();
  pass(2min);
  settle();
  std::filesystem::rename(path("away"), path("logs"));
  append("app.log", numbered_lines(10, 20));
  settle();
  expect_all(0, 20);
  expect_no_loss();
}

// Fault 20. Root may read everything.
TEST_F(LogFollowing, PermissionThatIsGrantedLater) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write("app.log", numbered_lines(0, 10));
  write("app.log.1", numbered_lines(10, 20));
  std::filesystem::permissions(log("app.log.1"), std::filesystem::perms::none);
  settle();
  EXPECT_EQ(mined(), numbers(0, 10));
  EXPECT_THAT(
      follower->problems(),
      ElementsAre(Pair(log("app.log.1"), testing::Field(&Error::message, HasSubstr("Permission denied")))));
  EXPECT_THAT(news(LogNews::Kind::problem), ElementsAre("app.log.1"));
  std::filesystem::permissions(log("app.log.1"), std::filesystem::perms::owner_read);
  settle();
  expect_all(0, 20);
}

// Fault 20.
TEST_F(LogFollowing, OthersDoNotWaitForALease) {
  write("app.log", numbered_lines(0, 10));
  write("app.log.1", numbered_lines(10, 20));
  {
    const FileLease lease(log("app.log.1"));
    settle();
    EXPECT_EQ(mined(), numbers(0, 10));
    EXPECT_THAT(follower->problems(),
                ElementsAre(Pair(log("app.log.1"), testing::Field(&Error::message, HasSubstr("lease")))));
  }
  settle();
  expect_all(0, 20);
}

// Fault 20.
TEST_F(LogFollowing, WhatIsNoRegularFileIsAProblemOfItsOwn) {
  write("app.log", numbered_lines(0, 10));
  ASSERT_EQ(::mkfifo(log("app.log.fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/null", log("app.log.null"));
  std::filesystem::create_symlink("/nowhere", log("app.log.dangling"));
  std::filesystem::create_directory(log("app.log.d"));
  std::filesystem::create_symlink(log("app.log"), log("app.log.link"));
  settle();
  EXPECT_EQ(mined(), numbers(0, 10));
  EXPECT_EQ(follower->problems().size(), 4U);
  EXPECT_EQ(news(LogNews::Kind::problem).size(), 4U);
  settle();
  EXPECT_THAT(news(LogNews::Kind::problem), IsEmpty());
  for (const char* name : {"app.log.fifo", "app.log.null", "app.log.dangling", "app.log.d"}) remove(name);
  settle();
  expect_all(0, 10);
}

// Fault 22.
TEST_F(LogFollowing, ALineOfAHundredMegabytesIsReadOnce) {
  options.stretch_bytes = 4'000'000;
  restart();
  write("app.log", numbered_line(0));
  for (int i = 0; i < 100; ++i) {
    append("app.log", std::string(1'000'000, 'x'));
    must(follower->turn());
  }
  append("app.log", "\n" + numbered_line(1));
  turns();
  expect_all(0, 2);
  EXPECT_THAT(totals().rejected, ElementsAre(Pair("too_long", 1U)));
  EXPECT_EQ(follower->counters().bytes_read, std::filesystem::file_size(log("app.log")));
}

TEST_F(LogFollowing, AnAppendThatIsRefusedIsTriedAgain) {
  write("app.log", numbered_lines(0, 10));
  next_append(Append::is_refused);
  EXPECT_FALSE(follower->turn().ok());
  EXPECT_THAT(mined(), IsEmpty());
  turns();
  expect_all(0, 10);
}

TEST_F(LogFollowing, AnAppendThatFailsAlthoughItIsStoredCountsOnce) {
  for (int round = 0; round < 3; ++round) {
    append("app.log", numbered_lines(10 * round, 10 * round + 10));
    next_append(Append::is_stored_and_fails);
    EXPECT_FALSE(follower->turn().ok());
    turns();
  }
  expect_all(0, 30);
  expect_no_loss();
}

TEST_F(LogFollowing, ALossIsNotForgottenThoughTheStoreFails) {
  write("app.log", numbered_lines(0, 10));
  turns();
  write("app.log", numbered_lines(20, 40));
  next_append(Append::is_refused);
  EXPECT_FALSE(follower->turn().ok());
  turns();
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
  EXPECT_EQ(follower->counters().possible_loss, 1U);
}

TEST_F(LogFollowing, SomebodyElseMinedMeanwhile) {
  write("app.log", numbered_lines(0, 10));
  turns();
  append("app.log", numbered_lines(10, 20));
  sample.mine({log("app.log")});
  EXPECT_EQ(follower->turn().error().code, ErrorCode::busy);
  append("app.log", numbered_lines(20, 30));
  turns();
  expect_all(0, 30);
  append("app.log", numbered_lines(30, 40));
  sample.mine({log("app.log")});
  follower->reload();
  turns();
  expect_all(0, 40);
}

TEST_F(LogFollowing, OtherSettings) {
  write("app.log", numbered_lines(0, 10));
  turns();
  config::Settings other = sample.settings;
  other.logs.shape.pointer = "no pointer";
  other.logs.shape.format = miner::LineFormat::object;
  EXPECT_FALSE(follower->use(other, {}).ok());
  other = sample.settings;
  other.logs.paths = {log("other.log")};
  write("other.log", numbered_lines(10, 20));
  ASSERT_TRUE(follower->use(other, {}).ok());
  append("app.log", numbered_lines(20, 30));
  settle();
  expect_all(0, 20);
  ASSERT_TRUE(follower->use(sample.settings, {}).ok());
  settle();
  expect_all(0, 30);
}

TEST_F(LogFollowing, TellsWhatIsNotMinedYetAndSinceWhen) {
  options.stretch_bytes = 2'000'000;
  restart();
  write("app.log", numbered_lines(0, 300'000));
  const auto begin = sample.clock.steady_time;
  must(follower->turn());
  pass(10s);
  must(follower->turn());
  const auto lags = follower->lags();
  ASSERT_THAT(lags, ElementsAre(Key(log("app.log"))));
  EXPECT_EQ(lags.begin()->second.since, begin);
  EXPECT_EQ(lags.begin()->second.bytes + follower->counters().bytes_read,
            std::filesystem::file_size(log("app.log")));
}

TEST_F(LogFollowing, TellsWhatIsNotMinedThoughTheStoreFailsOrOthersMine) {
  write("app.log", numbered_lines(0, 10));
  write("other.log", numbered_lines(100, 110));
  turns();
  const auto begin = sample.clock.steady_time;
  const auto expect_lag = [&](std::size_t bytes) {
    const auto lags = follower->lags();
    ASSERT_THAT(lags, ElementsAre(Key(log("app.log"))));
    EXPECT_EQ(std::pair(lags.begin()->second.bytes, lags.begin()->second.since), std::pair(bytes, begin));
    std::uint64_t behind = 0;
    for (const auto& [identity, progress] : follower->progress()) behind += progress.size - progress.mined;
    EXPECT_EQ(behind, bytes);
  };
  append("app.log", numbered_lines(10, 20));
  for (int round = 0; round < 3; ++round) {
    next_append(Append::is_refused);
    EXPECT_FALSE(follower->turn().ok());
    expect_lag(numbered_lines(10, 20).size());
    pass(10s);
  }
  append("app.log", numbered_lines(20, 30));
  follower->look_on();
  expect_lag(numbered_lines(10, 30).size());
  EXPECT_EQ(follower->looked_at(), sample.clock.steady_time);
  turns();
  EXPECT_THAT(follower->lags(), IsEmpty());
}

}  // namespace
}  // namespace qdedup::iteration
