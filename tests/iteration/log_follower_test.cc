#include "iteration/log_follower.h"

#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/followed_logs.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;

class Following : public testing::Test, protected FollowedLogs {
 protected:
  // Each line from `begin` to `end` was mined exactly once, the sums agree, and no loss is suspected.
  void expect_all(int begin, int end) {
    EXPECT_EQ(mined(), numbers(begin, end));
    const db::LineTotals sum = totals();
    EXPECT_EQ(sum.lines, sum.selected + sum.unselected + sum.rejected_total());
    EXPECT_EQ(sum.selected, static_cast<std::uint64_t>(end - begin));
    EXPECT_THAT(follower->problems(), IsEmpty());
  }

  void expect_no_loss() {
    EXPECT_THAT(possible_losses(), IsEmpty());
    EXPECT_EQ(follower->counters().possible_loss, 0U);
  }
};

TEST_F(Following, MinesWhatIsThereAndWhatIsAdded) {
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

TEST_F(Following, WritesNothingWhenNothingHappened) {
  write("app.log", numbered_lines(0, 10));
  settle();
  const std::string before = must(db::Evidence(sample.store).logs()).at(0).last_mined_at;
  sample.clock.time += 1h;
  settle();
  restart();
  settle();
  EXPECT_EQ(must(db::Evidence(sample.store).logs()).at(0).last_mined_at, before);
}

TEST_F(Following, ANewFollowerGoesOn) {
  write("app.log", numbered_lines(0, 10));
  turns();
  append("app.log", numbered_lines(10, 20));
  restart();
  turns();
  expect_all(0, 20);
  expect_no_loss();
}

// Fault 21.
TEST_F(Following, ALineCountsWhenItIsComplete) {
  const std::string line = numbered_line(1);
  write("app.log", numbered_line(0) + line.substr(0, 5));
  turns();
  expect_all(0, 1);
  EXPECT_THAT(follower->lags(), IsEmpty());
  append("app.log", line.substr(5));
  turns();
  expect_all(0, 2);
}

// Fault 9.
TEST_F(Following, ALineThatIsFinishedAfterTheRenamingCountsOnce) {
  const std::string line = numbered_line(1);
  write("app.log", numbered_line(0) + line.substr(0, 5));
  turns();
  rename("app.log", "app.log.1");
  write("app.log", numbered_lines(2, 4));
  append("app.log.1", line.substr(5));
  turns();
  expect_all(0, 4);
  expect_no_loss();
}

// The same where the globs do not lead to the new name.
TEST_F(Following, ALogThatIsRenamedAwayIsReadToItsEnd) {
  const std::string line = numbered_line(1);
  write("app.log", numbered_line(0) + line.substr(0, 5));
  turns();
  rename("app.log", "old");
  append("old", line.substr(5));
  turns();
  write("app.log", numbered_lines(2, 4));
  turns();
  pass(59s);
  append("old", numbered_line(4));
  turns();
  pass(59s);
  append("old", numbered_line(5));
  turns();
  expect_all(0, 6);
  pass(61s);
  turns();
  append("old", numbered_line(6));
  settle();
  expect_all(0, 6);
  expect_no_loss();
}

// Fault 10.
TEST_F(Following, AllGenerationsAreReadAfterATimeDown) {
  write("app.log", numbered_lines(0, 10));
  turns();
  append("app.log", numbered_lines(10, 15));
  rename("app.log", "app.log.1");
  write("app.log", numbered_lines(15, 20));
  rename("app.log.1", "app.log.2");
  rename("app.log", "app.log.1");
  write("app.log", numbered_lines(20, 30));
  pack("app.log.2", "gzip", ".gz");
  restart();
  settle();
  expect_all(0, 30);
  expect_no_loss();
}

// Fault 11.
TEST_F(Following, UnreadBytesAreReadThoughTheLogWasRotatedAndRemoved) {
  options.stretch_bytes = 1'000'000;
  restart();
  write("app.log", numbered_lines(0, 200'000));
  EXPECT_TRUE(must(follower->turn()).more);
  EXPECT_THAT(follower->lags(), Contains(Key(log("app.log"))));
  remove("app.log");
  write("app.log", numbered_lines(200'000, 200'010));
  EXPECT_TRUE(must(follower->turn()).more);
  turns();
  expect_all(0, 200'010);
  expect_no_loss();
  EXPECT_THAT(follower->lags(), IsEmpty());
}

TEST_F(Following, NewLinesDoNotWaitForABacklog) {
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

class CutInPlace : public Following, public testing::WithParamInterface<int> {};

// Fault 12: the log is smaller, as large, or larger than before when it is looked at again.
TEST_P(CutInPlace, IsNoticed) {
  write("app.log", numbered_lines(100, 200));
  settle();
  copy_and_cut("app.log", "app.log.1");
  append("app.log", numbered_lines(200, 200 + GetParam()));
  settle();
  expect_all(100, 200 + GetParam());
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
  EXPECT_EQ(follower->counters().possible_loss, 1U);
  EXPECT_THAT(news(LogNews::Kind::possible_loss), ElementsAre("app.log"));
  restart();
  settle();
  expect_all(100, 200 + GetParam());
  EXPECT_EQ(follower->counters().possible_loss, 0U);
}

TEST_P(CutInPlace, WhatWasNotReadBeforeIsReadFromTheCopy) {
  write("app.log", numbered_lines(100, 150));
  settle();
  append("app.log", numbered_lines(150, 200));
  copy_and_cut("app.log", "app.log.1");
  append("app.log", numbered_lines(200, 200 + GetParam()));
  settle();
  expect_all(100, 200 + GetParam());
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
}

TEST_P(CutInPlace, WhileNobodyLooked) {
  write("app.log", numbered_lines(100, 200));
  settle();
  copy_and_cut("app.log", "app.log.1");
  append("app.log", numbered_lines(200, 200 + GetParam()));
  restart();
  settle();
  expect_all(100, 200 + GetParam());
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, CutInPlace, testing::Values(0, 1, 99, 100, 101, 300));

// The log was mined further than the copy goes when it was cut.
TEST_F(Following, ACopyThatIsShorterThanWhatWasMinedCountsNothingTwice) {
  write("app.log", numbered_lines(0, 100));
  settle();
  std::filesystem::copy_file(log("app.log"), log("app.log.1"));
  settle();
  append("app.log", numbered_lines(100, 110));
  turns();
  std::filesystem::resize_file(log("app.log"), 0);
  append("app.log", numbered_lines(110, 120));
  settle();
  expect_all(0, 120);
  restart();
  settle();
  expect_all(0, 120);
  pack("app.log.1", "gzip", ".gz");
  settle();
  pass(2min);
  settle();
  restart();
  settle();
  expect_all(0, 120);
}

// Fault 13.
TEST_F(Following, ALogThatIsCutUnderAWriterWithAnOffsetOfItsOwn) {
  write("app.log", numbered_lines(0, 100));
  settle();
  const auto size = std::filesystem::file_size(log("app.log"));
  std::filesystem::resize_file(log("app.log"), 0);
  std::filesystem::resize_file(log("app.log"), size);
  append("app.log", numbered_lines(100, 110));
  settle();
  expect_all(0, 110);
  EXPECT_EQ(totals().nul_bytes, size);
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
}

// As the packed file may have the inode of one that was mined, and is empty until it is complete.
TEST_F(Following, APackedLogInAFileThatWasSeenEmptyCountsNothingTwice) {
  write("app.log.1", numbered_lines(0, 10));
  write("app.log.2", numbered_lines(10, 20));
  settle();
  restart();
  const std::string packed_log = packed("zstd", sample.folder.read("logs/app.log.1"));
  rename("app.log.2", "app.log.3");
  write("app.log.3", "");
  turns();
  write("app.log.3", packed_log);
  turns();
  remove("app.log.1");
  settle();
  pass(2min);
  settle();
  expect_all(0, 20);
}

// The log before it is packed by then, so it takes a little until it is known again.
TEST_F(Following, ANewLogInThePlaceOfOneThatWasPackedMeanwhileIsNoLoss) {
  write("app.log", numbered_lines(0, 10));
  turns();
  rename("app.log", "app.log.1");
  turns();
  follower.reset();
  write("app.log", numbered_lines(10, 20));
  pack("app.log.1", "zstd", ".zst");
  rename("app.log.1.zst", "app.log.2.zst");
  rename("app.log", "app.log.1");
  write("app.log", numbered_lines(20, 30));
  restart();
  settle();
  expect_all(0, 30);
  expect_no_loss();
}

// Fault 14: many file systems give the inode away again at once. With the follower up it cannot, as the file
// is still open.
TEST_F(Following, ALogThatWasRemovedAndMadeAnew) {
  write("app.log", numbered_lines(0, 10));
  turns();
  append("app.log", numbered_lines(10, 20));
  remove("app.log");
  write("app.log", numbered_lines(20, 30));
  turns();
  expect_all(0, 30);
  expect_no_loss();
}

TEST_F(Following, ALogThatWasRemovedAndMadeAnewWhileNobodyLooked) {
  write("app.log", numbered_lines(0, 10));
  turns();
  follower.reset();
  remove("app.log");
  write("app.log", numbered_lines(20, 30));
  restart();
  turns();
  EXPECT_EQ(totals().lines, 20U);
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
}

class HalfRead : public Following, public testing::WithParamInterface<std::pair<const char*, const char*>> {};

// Fault 15.
TEST_P(HalfRead, ThenCompressed) {
  write("app.log", numbered_lines(0, 50));
  turns();
  follower.reset();
  append("app.log", numbered_lines(50, 100));
  rename("app.log", "app.log.1");
  write("app.log", numbered_lines(100, 110));
  pack("app.log.1", GetParam().first, GetParam().second);
  restart();
  settle();
  expect_all(0, 110);
  expect_no_loss();
}

TEST_P(HalfRead, ThenCompressedWhileItIsFollowed) {
  write("app.log", numbered_lines(0, 50));
  turns();
  rename("app.log", "app.log.1");
  write("app.log", numbered_lines(100, 110));
  turns();
  append("app.log.1", numbered_lines(50, 100));
  pack("app.log.1", GetParam().first, GetParam().second);
  settle();
  expect_all(0, 110);
  pass(2min);
  settle();
  expect_all(0, 110);
  expect_no_loss();
  rename(std::string("app.log.1") + GetParam().second, std::string("app.log.2") + GetParam().second);
  rename("app.log", "app.log.1");
  settle();
  restart();
  settle();
  expect_all(0, 110);
  expect_no_loss();
}

INSTANTIATE_TEST_SUITE_P(Tools, HalfRead,
                         testing::Values(std::pair("gzip", ".gz"), std::pair("zstd -q", ".zst")));

// Fault 16.
TEST_F(Following, ACompressedFileIsReadWhenItStaysTheSame) {
  const std::string bytes = packed("gzip", numbered_lines(0, 1000));
  write("app.log.1.gz", bytes.substr(0, 100));
  const auto turn = must(follower->turn());
  EXPECT_FALSE(turn.more);
  EXPECT_EQ(turn.due, sample.clock.steady_time + 1s);
  EXPECT_THAT(mined(), IsEmpty());
  pass(900ms);
  append("app.log.1.gz", bytes.substr(100));
  turns();
  pass(900ms);
  turns();
  EXPECT_THAT(mined(), IsEmpty());
  pass(100ms);
  turns();
  expect_all(0, 1000);
}

TEST_F(Following, ACompressedFileThatIsCutOffWaits) {
  const std::string bytes = packed("gzip", numbered_lines(0, 5000));
  write("app.log.1.gz", bytes.substr(0, bytes.size() / 2));
  settle();
  EXPECT_THAT(follower->waiting(), ElementsAre(log("app.log.1.gz")));
  EXPECT_EQ(turns(), 1);
  append("app.log.1.gz", bytes.substr(bytes.size() / 2));
  settle();
  EXPECT_THAT(follower->waiting(), IsEmpty());
  expect_all(0, 5000);
}

TEST_F(Following, ADamagedFileIsTriedAgainWhenItChanges) {
  const std::string good = packed("gzip", numbered_lines(0, 1000));
  std::string bad = good;
  bad[bad.size() - 6] ^= 1;  // in the checksum
  write("app.log.1.gz", bad);
  write("app.log", numbered_lines(1000, 1010));
  settle();
  EXPECT_THAT(follower->problems(),
              ElementsAre(Pair(log("app.log.1.gz"), HasSubstr("checksum does not match"))));
  EXPECT_THAT(news(LogNews::Kind::problem), ElementsAre("app.log.1.gz"));
  const auto read = follower->counters().bytes_read;
  settle();
  EXPECT_THAT(news(LogNews::Kind::problem), IsEmpty());
  EXPECT_EQ(follower->counters().bytes_read, read);
  write("app.log.1.gz", good);
  settle();
  EXPECT_THAT(news(LogNews::Kind::solved), ElementsAre("app.log.1.gz"));
  expect_all(0, 1010);
}

TEST_F(Following, SeveralMembersAndAPackedBomb) {
  std::string bomb;
  bomb.resize(100'000'000, 'x');
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 10)) + packed("gzip", numbered_lines(10, 20)));
  write("app.log.2.gz", packed("gzip -9", bomb + "\n" + numbered_lines(20, 30)));
  settle();
  expect_all(0, 30);
  EXPECT_THAT(totals().rejected, ElementsAre(Pair("too_long", 1U)));
}

TEST_F(Following, ACompleteFileIsNotUnpackedAgain) {
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 1000)));
  settle();
  restart();
  settle();
  EXPECT_EQ(follower->counters().bytes_read, 0U);
  expect_all(0, 1000);
  const auto size = std::filesystem::file_size(log("app.log.1.gz"));
  EXPECT_EQ(must(db::Evidence(sample.store).logs()).at(0).file_size, size);
  append("app.log.1.gz", packed("gzip", numbered_lines(1000, 1010)));
  settle();
  expect_all(0, 1010);
}

// Fault 17.
TEST_F(Following, LogsThatBeginAlikeAndEmptyOnes) {
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

TEST_F(Following, ACopyIsPassedOverAndToldOnce) {
  write("app.log", numbered_lines(0, 100));
  turns();
  write("app.log.copy", numbered_lines(0, 50));
  settle();
  EXPECT_THAT(news(LogNews::Kind::copy), ElementsAre("app.log.copy"));
  append("app.log.copy", numbered_lines(50, 60));
  settle();
  expect_all(0, 100);
  EXPECT_THAT(news(LogNews::Kind::copy), IsEmpty());
}

// Fault 18.
TEST_F(Following, ALogThatIsRemovedWhileItIsOpenIsReadToItsEnd) {
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

TEST_F(Following, AFolderThatGoesAndComesBack) {
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
TEST_F(Following, PermissionThatIsGrantedLater) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write("app.log", numbered_lines(0, 10));
  write("app.log.1", numbered_lines(10, 20));
  std::filesystem::permissions(log("app.log.1"), std::filesystem::perms::none);
  settle();
  EXPECT_EQ(mined(), numbers(0, 10));
  EXPECT_THAT(follower->problems(), ElementsAre(Pair(log("app.log.1"), HasSubstr("Permission denied"))));
  EXPECT_THAT(news(LogNews::Kind::problem), ElementsAre("app.log.1"));
  std::filesystem::permissions(log("app.log.1"), std::filesystem::perms::owner_read);
  settle();
  expect_all(0, 20);
}

// Fault 20.
TEST_F(Following, WhatIsNoRegularFileIsAProblemOfItsOwn) {
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
TEST_F(Following, ALineOfAHundredMegabytesIsReadOnce) {
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

TEST_F(Following, AnAppendThatIsRefusedIsTriedAgain) {
  write("app.log", numbered_lines(0, 10));
  next_append = Append::is_refused;
  EXPECT_FALSE(follower->turn().ok());
  EXPECT_THAT(mined(), IsEmpty());
  turns();
  expect_all(0, 10);
}

TEST_F(Following, AnAppendThatFailsAlthoughItIsStoredCountsOnce) {
  for (int round = 0; round < 3; ++round) {
    append("app.log", numbered_lines(10 * round, 10 * round + 10));
    next_append = Append::is_stored_and_fails;
    EXPECT_FALSE(follower->turn().ok());
    turns();
  }
  expect_all(0, 30);
  expect_no_loss();
}

TEST_F(Following, ALossIsNotForgottenThoughTheStoreFails) {
  write("app.log", numbered_lines(0, 10));
  turns();
  write("app.log", numbered_lines(20, 40));
  next_append = Append::is_refused;
  EXPECT_FALSE(follower->turn().ok());
  turns();
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
  EXPECT_EQ(follower->counters().possible_loss, 1U);
}

TEST_F(Following, SomebodyElseMinedMeanwhile) {
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

TEST_F(Following, FewDescriptorsAreEnough) {
  options.most_open_files = 4;
  restart();
  for (int i = 0; i < 30; ++i) {
    write("app.log." + std::to_string(i), numbered_lines(100 * i, 100 * i + 50));
  }
  settle();
  for (int i = 0; i < 30; ++i) {
    append("app.log." + std::to_string(i), numbered_lines(100 * i + 50, 100 * i + 100));
  }
  settle();
  expect_all(0, 3000);
  expect_no_loss();
}

TEST_F(Following, OtherSettings) {
  write("app.log", numbered_lines(0, 10));
  turns();
  config::Settings other = sample.settings;
  other.logs.pointer = "no pointer";
  other.logs.format = miner::LineFormat::object;
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

TEST_F(Following, TellsWhatIsNotMinedYetAndSinceWhen) {
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

}  // namespace
}  // namespace qdedup::iteration
