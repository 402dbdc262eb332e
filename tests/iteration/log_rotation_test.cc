#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>

#include "tests/iteration/log_following.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;

// Fault 9.
TEST_F(LogFollowing, ALineThatIsFinishedAfterTheRenamingCountsOnce) {
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

TEST_F(LogFollowing, ALogThatAnotherProgramPackedWaitsUntilItIsUnpacked) {
  write("app.log", numbered_lines(0, 10));
  settle();
  append("app.log", numbered_lines(10, 20));
  rename("app.log", "unpacked");
  write("app.log.1.xz", std::string("\xFD\x37zXZ\0\0\4", 8) + "\n[[1,0.9]]\n");
  settle();
  EXPECT_THAT(
      follower->problems(),
      ElementsAre(Pair(log("app.log.1.xz"),
                       testing::Field(&Error::message, HasSubstr("app.log.1.xz: is packed with xz")))));
  EXPECT_EQ(totals().lines, 20U);  // its own file was still open
  write("app.log.2.bz2", "BZh91AY&SY\n");
  write("app.log.3.gz", packed("gzip", packed("gzip", numbered_lines(0, 20))));
  settle();
  restart();
  settle();
  EXPECT_EQ(follower->problems().size(), 3U);
  EXPECT_THAT(must(db::Evidence(sample.store).logs()), testing::SizeIs(1));
  append("unpacked", numbered_lines(20, 30));
  rename("unpacked", "app.log.1");
  remove("app.log.1.xz");
  remove("app.log.2.bz2");
  remove("app.log.3.gz");
  settle();
  expect_all(0, 30);
  expect_no_loss();
}

// The same where the globs do not lead to the new name.
TEST_F(LogFollowing, ALogThatIsRenamedAwayIsReadToItsEnd) {
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

TEST_F(LogFollowing, ALogOfWhichHalfALineIsThereIsReadOnWhenItsNameHasGone) {
  const std::string line = numbered_line(5);
  write("app.log", numbered_line(0));
  turns();
  write("app.log.b", line.substr(0, 3));
  turns();
  rename("app.log.b", "old");
  append("old", line.substr(3) + numbered_line(6));
  turns();
  EXPECT_THAT(mined(), ElementsAre(0, 5, 6));
  expect_no_loss();
}

// It looks like a copy of another log when its name goes.
TEST_F(LogFollowing, ALogThatBeginsLikeAnotherIsReadOnWhenItsNameHasGone) {
  write("app.log", numbered_lines(0, 3));
  turns();
  write("app.log.b", numbered_lines(0, 2));
  turns();
  ASSERT_THAT(news(LogNews::Kind::copy), ElementsAre("app.log.b"));
  rename("app.log.b", "old");
  append("old", numbered_lines(5, 7));
  turns();
  EXPECT_THAT(mined(), ElementsAre(0, 0, 1, 1, 2, 5, 6));
  EXPECT_THAT(news(LogNews::Kind::possible_twice), ElementsAre("app.log.b"));
}

TEST_F(LogFollowing, ALogThatWasCutBackIsReadOnWhenItsNameHasGone) {
  write("app.log", numbered_lines(0, 10));
  turns();
  std::filesystem::resize_file(log("app.log"), numbered_lines(0, 5).size());
  turns();
  rename("app.log", "old");
  append("old", numbered_lines(10, 12));
  turns();
  expect_all(0, 12);
}

// Fault 10.
TEST_F(LogFollowing, AllGenerationsAreReadAfterATimeDown) {
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
TEST_F(LogFollowing, UnreadBytesAreReadThoughTheLogWasRotatedAndRemoved) {
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

class CutInPlace : public LogFollowing, public testing::WithParamInterface<int> {};

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
TEST_F(LogFollowing, ACopyThatIsShorterThanWhatWasMinedCountsNothingTwice) {
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

TEST_F(LogFollowing, OfALogAndItsWholeCopyTheLogIsTheOneThatWasWrittenFirst) {
  write("app.log.9", numbered_lines(0, 10));
  write("app.log.1", numbered_lines(0, 10));
  std::filesystem::last_write_time(log("app.log.9"), std::filesystem::last_write_time(log("app.log.1")) - 1s);
  settle();
  append("app.log.9", numbered_lines(10, 15));
  settle();
  expect_all(0, 15);
}

// Fault 13.
TEST_F(LogFollowing, ALogThatIsCutUnderAWriterWithAnOffsetOfItsOwn) {
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
TEST_F(LogFollowing, APackedLogInAFileThatWasSeenEmptyCountsNothingTwice) {
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
TEST_F(LogFollowing, ANewLogInThePlaceOfOneThatWasPackedMeanwhileIsNoLoss) {
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

// The same for those who do not wait for late writers.
TEST_F(LogFollowing, APackedLogIsWaitedForHoweverShortRotateWaitIs) {
  options.rotate_wait = {};
  restart();
  write("app.log", numbered_lines(0, 10));
  turns();
  follower.reset();
  pack("app.log", "gzip", ".2.gz");
  write("app.log", numbered_lines(10, 20));
  restart();
  settle();
  expect_all(0, 20);
  expect_no_loss();
}

// Fault 14: many file systems give the inode away again at once. With the follower up it cannot, as the file
// is still open.
TEST_F(LogFollowing, ALogThatWasRemovedAndMadeAnew) {
  write("app.log", numbered_lines(0, 10));
  turns();
  append("app.log", numbered_lines(10, 20));
  remove("app.log");
  write("app.log", numbered_lines(20, 30));
  turns();
  expect_all(0, 30);
  expect_no_loss();
}

TEST_F(LogFollowing, ALogThatWasRemovedAndMadeAnewWhileNobodyLooked) {
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

class HalfRead : public LogFollowing,
                 public testing::WithParamInterface<std::pair<const char*, const char*>> {};

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
TEST_F(LogFollowing, ACompressedFileIsReadWhenItStaysTheSame) {
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

TEST_F(LogFollowing, ACompressedFileThatIsCutOffWaits) {
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

TEST_F(LogFollowing, ADamagedFileIsTriedAgainWhenItChanges) {
  const std::string good = packed("gzip", numbered_lines(0, 1000));
  std::string bad = good;
  bad[bad.size() - 6] ^= 1;  // in the checksum
  write("app.log.1.gz", bad);
  write("app.log", numbered_lines(1000, 1010));
  settle();
  EXPECT_THAT(follower->problems(),
              ElementsAre(Pair(log("app.log.1.gz"),
                               testing::Field(&Error::message, HasSubstr("checksum does not match")))));
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

TEST_F(LogFollowing, SeveralMembersAndAPackedBomb) {
  std::string bomb;
  bomb.resize(100'000'000, 'x');
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 10)) + packed("gzip", numbered_lines(10, 20)));
  write("app.log.2.gz", packed("gzip -9", bomb + "\n" + numbered_lines(20, 30)));
  settle();
  expect_all(0, 30);
  EXPECT_THAT(totals().rejected, ElementsAre(Pair("too_long", 1U)));
}

TEST_F(LogFollowing, ACompleteFileIsNotUnpackedAgain) {
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

TEST_F(LogFollowing, ACopyIsPassedOverAndToldOnce) {
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

}  // namespace
}  // namespace qdedup::iteration
