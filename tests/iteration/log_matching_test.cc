#include "iteration/log_matching.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/iteration/matched_logs.h"
#include "tests/support/command_line_packer.h"

namespace qdedup::iteration {
namespace {

class LogMatching : public testing::Test, protected MatchedLogs {};

TEST_F(LogMatching, AFileIsKnownByItsIdentity) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  LogMatcher matcher = looking_at({mined(log, 7)}, {log});
  std::ignore = folder_.append("a.log", lines(100, 110));
  EXPECT_EQ(match(matcher, log), "7");
}

TEST_F(LogMatching, ARenamedFileIsKnown) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  const db::LogRecord record = mined(log, 7);
  std::filesystem::rename(log, folder_ / "a.log.1");
  const std::string fresh = folder_.write("a.log", lines(200, 300));
  LogMatcher matcher = looking_at({record}, {fresh, folder_ / "a.log.1"});
  EXPECT_EQ(match(matcher, fresh), "new");
  EXPECT_EQ(match(matcher, folder_ / "a.log.1"), "7");
}

TEST_F(LogMatching, ACutFileIsNewAndAPossibleLoss) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  const db::LogRecord record = mined(log, 7);
  folder_.write("a.log", lines(200, 300));
  LogMatcher matcher = looking_at({record}, {log});
  EXPECT_EQ(match(matcher, log), "new, possible loss");
}

TEST_F(LogMatching, ACutFileThatWasRenamedIsAPossibleLoss) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  const db::LogRecord record = mined(log, 7);
  if (record.born_ns == 0) GTEST_SKIP() << "the file system tells no births";
  folder_.write("a.log", lines(200, 300));
  std::filesystem::rename(log, folder_ / "a.log.1");
  LogMatcher matcher = looking_at({record}, {folder_ / "a.log.1"});
  EXPECT_EQ(match(matcher, folder_ / "a.log.1"), "new, possible loss");
}

// As ext4 gives an inode away at once: to the log that comes next, when the one before is packed and removed.
TEST_F(LogMatching, AFileThatWasBornLaterInTheSameInodeIsNotTheOneThatWasCut) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  db::LogRecord record = mined(log, 7);
  if (record.born_ns == 0) GTEST_SKIP() << "the file system tells no births";
  record.born_ns -= 1;
  const std::string packed_log = folder_.write("a.log.1.gz", packed("gzip", lines(0, 100)));
  folder_.write("a.log", lines(200, 300));
  LogMatcher matcher = looking_at({record}, {log, packed_log});
  EXPECT_EQ(match(matcher, log), "new, possible loss");  // where the other one is, is not known yet
  EXPECT_FALSE(matcher.is_known(must_see(log)));
  EXPECT_FALSE(must(matcher.match(must(files_.open(log)), log)).cut);
  const LogMatcher::Match found = must(matcher.match(must(files_.open(packed_log)), packed_log));
  EXPECT_EQ(found.record.id, 7);
  matcher.update(found.record);
  EXPECT_EQ(match(matcher, log), "new");
}

// Whether the log's own file is among those that are looked at, or not.
TEST_F(LogMatching, AFileOfWhichNoBirthWasRecordedIsKnownByItsInode) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  db::LogRecord record = mined(log, 7);
  record.born_ns = 0;
  const std::string copy = folder_.write("a.log.1", lines(0, 100));
  LogMatcher matcher = looking_at({record}, {copy});
  EXPECT_TRUE(matcher.is_known(must_see(log)));
  EXPECT_EQ(match(matcher, copy), "copy");
  const LogMatcher::Match found = must(matcher.match(must(files_.open(log)), log));
  EXPECT_EQ(found.record.born_ns, must_see(log).born_ns);
  EXPECT_EQ(found.moved, found.record.born_ns != 0);  // so that it is stored
  folder_.write("a.log", lines(200, 300));
  EXPECT_EQ(match(matcher, log), "new, possible loss");
}

// Copying a file up to a writable layer gives it another birth.
TEST_F(LogMatching, AFileThatGotAnotherBirthIsKnownByWhatItHolds) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  db::LogRecord record = mined(log, 7);
  record.born_ns += 1;
  LogMatcher matcher = looking_at({record}, {log});
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 50))), "copy");
  EXPECT_EQ(match(matcher, log), "7");
  folder_.write("a.log", lines(200, 300));
  EXPECT_EQ(match(matcher, log), "new, possible loss");
}

TEST_F(LogMatching, TheCopyOfACutFileTakesItsRecord) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  const db::LogRecord record = mined(log, 7);
  const std::string copy = folder_.write("a.log.1", lines(0, 150));
  folder_.write("a.log", lines(200, 201));
  LogMatcher matcher = looking_at({record}, {log, copy});
  EXPECT_EQ(match(matcher, copy), "7");
}

TEST_F(LogMatching, ACopyBesideItsOriginalIsPassedOver) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  LogMatcher matcher = looking_at({mined(log, 7)}, {log});
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 100))), "copy");
  EXPECT_EQ(match(matcher, folder_.write("c.log", lines(0, 50))), "copy");
}

TEST_F(LogMatching, ALogThatBeginsLikeAnotherIsNew) {
  const std::string log = folder_.write("a.log", lines(0, 500));
  LogMatcher matcher = looking_at({mined(log, 7)}, {log});
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 400) + "other\n")), "new, perhaps twice");
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 400) + "line")), "copy");
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 1) + "other\n")), "new, perhaps twice");
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(1, 400))), "new");
}

TEST_F(LogMatching, ALogThatGoesOnWhereAnotherEndsBeginsThere) {
  const std::string log = folder_.write("a.log", lines(0, 500) + "line");
  LogMatcher matcher = looking_at({mined(log, 7)}, {log});
  const std::string longer = folder_.write("b.log", lines(0, 510));
  LogMatcher::Match found = must(matcher.match(must(files_.open(longer)), longer));
  EXPECT_EQ(found.record.id, 0);
  EXPECT_FALSE(found.record.possible_loss);
  EXPECT_FALSE(found.record.possible_twice);
  EXPECT_EQ(must(found.file.next_block(1000))->lines, lines(500, 510));
}

// Its record went on with the copy meanwhile.
TEST_F(LogMatching, AFileThatWasCutAfterItWasCopiedBeginsBehindWhatItShares) {
  const std::string log = folder_.write("a.log", lines(0, 500));
  const std::string copy = folder_.write("b.log", lines(0, 500));
  LogMatcher matcher = looking_at({mined(log, 7)}, {log, copy});
  folder_.write("a.log", lines(0, 300) + "other\n");
  const LogMatcher::Match taken = must(matcher.match(must(files_.open(copy)), copy));
  EXPECT_EQ(taken.record.id, 7);
  matcher.update(taken.record);
  LogMatcher::Match found = must(matcher.match(must(files_.open(log)), log));
  EXPECT_EQ(found.record.id, 0);
  EXPECT_FALSE(found.record.possible_twice);
  EXPECT_EQ(must(found.file.next_block(100))->lines, "other\n");
}

// Somebody else took the packed one for it.
TEST_F(LogMatching, AFileThatGoesOnAfterItWasPackedIsItsLog) {
  const std::string log = folder_.write("a.log", lines(0, 500));
  const db::LogRecord record = mined(log, 7);
  LogMatcher matcher = looking_at({record}, {log});
  const LogMatcher::File held = must(files_.open(log));
  matcher.hold(held);
  const std::string copy = folder_.write("b.gz", packed("gzip", lines(0, 500)));
  db::LogRecord moved = must(looking_at({}, {}).match(must(files_.open(copy)), copy)).record;
  moved.id = 7;
  moved.offset = record.offset;
  moved.head_hash = record.head_hash;
  moved.tail_hash = record.tail_hash;
  matcher.renew({moved}, max_line_bytes);
  folder_.append("a.log", lines(500, 510));
  EXPECT_EQ(must(matcher.match(held, log)).record.id, 7);
}

TEST_F(LogMatching, TheFirstLinesOfALogThatIsGoneAreThatLog) {
  const std::string log = folder_.write("a.log", lines(0, 500));
  const db::LogRecord record = mined(log, 7);
  std::filesystem::remove(log);
  LogMatcher matcher = looking_at({record}, {});
  for (const int count : {2, 60, 499}) {
    EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, count) + "line")), "shorter 7") << count;
    EXPECT_EQ(match(matcher, folder_.write("b.gz", packed("gzip", lines(0, count)))), "shorter 7") << count;
  }
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 1))), "brief 7");
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 1) + "other\n")), "new, perhaps twice");
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(1, 50))), "new");
}

TEST_F(LogMatching, OtherLinesBehindTheFirstOfALogThatIsGoneAreNew) {
  const std::string log = folder_.write("a.log", lines(0, 500));
  const db::LogRecord record = mined(log, 7);
  std::filesystem::remove(log);
  LogMatcher matcher = looking_at({record}, {});
  for (const int count : {2, 60, 499}) {
    const std::string other = folder_.write("b.log", lines(0, count) + "other\n");
    LogMatcher::Match found = must(matcher.match(must(files_.open(other)), other));
    EXPECT_EQ(found.record.id, 0);
    EXPECT_EQ(found.record.offset, lines(0, count).size());
    EXPECT_TRUE(found.record.possible_loss);
    EXPECT_FALSE(found.record.possible_twice);
    EXPECT_EQ(must(found.file.next_block(100))->lines, "other\n");
  }
}

TEST_F(LogMatching, AFileThatWasCutBackIsKnownByAnyLine) {
  const std::string log = folder_.write("a.log", lines(0, 500));
  const db::LogRecord record = mined(log, 7);
  LogMatcher matcher = looking_at({record}, {log});
  folder_.write("a.log", lines(0, 1));
  EXPECT_EQ(match(matcher, log), "brief 7");
  EXPECT_TRUE(must(matcher.match(must(files_.open(log)), log)).cut);
  folder_.write("a.log", lines(0, 1) + "other\n");
  EXPECT_EQ(must(matcher.match(must(files_.open(log)), log)).record.offset, lines(0, 1).size());
}

TEST_F(LogMatching, WithoutMarksItIsSaidThatLinesMayCountTwice) {
  const std::string log = folder_.write("a.log", lines(0, 500));
  const db::LogRecord record = mined(log, 7);
  std::filesystem::remove(log);
  LogMatcher matcher = looking_at({record}, {});
  const auto count = [&](const std::string& content) {
    const std::string other = folder_.write("b.log", content);
    const LogMatcher::Match found = must(matcher.match(must(files_.open(other)), other));
    return std::pair(found.record.offset, found.record.possible_twice);
  };
  for (db::LogMarkRecord& mark : marks_[7]) {
    if (mark.begin_offset > 0) mark.line_hashes.clear();
  }
  const auto [offset, twice] = count(lines(0, 400));
  EXPECT_TRUE(twice);
  EXPECT_GT(offset, lines(0, 300).size());  // the nearest mark
  marks_.clear();
  EXPECT_EQ(count(lines(0, 400)), std::pair(std::uint64_t{0}, true));
  EXPECT_EQ(count(lines(0, 40)), std::pair(std::uint64_t{0}, true));
}

// As those of logs that were mined long ago.
TEST_F(LogMatching, LogsWithoutMarksNeedNoReading) {
  std::vector<db::LogRecord> known;
  for (int id = 1; id <= 100; ++id) {
    const std::string log =
        folder_.write("a." + std::to_string(id), lines(0, 1) + lines(10 * id, 10 * id + 10));
    known.push_back(mined(log, id));
  }
  marks_.clear();
  const std::string fresh = folder_.write("b.log", lines(0, 1) + lines(5'000, 5'010));
  std::size_t reads = 0;
  files_ = logs::Files({}, [&] { ++reads; });
  LogMatcher matcher = looking_at(known, {fresh});
  EXPECT_EQ(match(matcher, fresh), "new, perhaps twice");
  EXPECT_LT(reads, 20U);
}

// Or each of them would be opened, as this might be its beginning.
TEST_F(LogMatching, AFirstLineOfItsOwnTellsAFileFromLongerLogsWithoutMarks) {
  constexpr std::int64_t longer = 20;
  std::vector<db::LogRecord> known;
  std::vector<std::string> paths;
  for (std::int64_t id = 1; id <= longer; ++id) {
    paths.push_back(
        folder_.write(std::to_string(id) + ".log", "log " + std::to_string(id) + "\n" + lines(0, 50)));
    known.push_back(mined(paths.back(), id));
    marks_[id].clear();
  }
  const std::string log = folder_.write("a.log", "another\n" + lines(0, 10));
  std::int64_t opened = 0;
  files_ = logs::Files({}, [&] { ++opened; });
  LogMatcher matcher = looking_at(known, paths);
  EXPECT_EQ(match(matcher, log), "new");
  EXPECT_LT(opened, longer);
}

// One that does not know what they are by now.
TEST_F(LogMatching, TheMarksOfALogAreReadAgainWhenItWasMined) {
  const std::string log = folder_.write("a.log", lines(0, 10));
  const std::string other = folder_.write("b.log", lines(0, 10) + "other\n");
  LogMatcher matcher = looking_at({mined(log, 7)}, {});
  EXPECT_EQ(must(matcher.match(must(files_.open(other)), other)).record.offset, lines(0, 10).size());
  folder_.append("a.log", lines(10, 20));
  matcher.update(mined(log, 7));
  std::filesystem::remove(log);
  const std::string longer = folder_.write("c.log", lines(0, 15) + "other\n");
  EXPECT_EQ(must(matcher.match(must(files_.open(longer)), longer)).record.offset, lines(0, 15).size());
}

TEST_F(LogMatching, ACompressedLogThatIsNotCompleteIsWaitedFor) {
  const std::string log = folder_.write("a.log", lines(0, 50'000));
  const db::LogRecord record = mined(log, 7);
  ASSERT_EQ(std::system(("gzip -n " + log).c_str()), 0);
  const std::string packed = folder_.read("a.log.gz");
  folder_.write("a.log.gz", packed.substr(0, packed.size() / 2));
  LogMatcher matcher = looking_at({record}, {folder_ / "a.log.gz"});
  EXPECT_EQ(match(matcher, folder_ / "a.log.gz"), "wait");
  folder_.write("a.log.gz", packed);
  EXPECT_EQ(match(matcher, folder_ / "a.log.gz"), "7");
}

TEST_F(LogMatching, AnEmptyLogMatchesNobodyElse) {
  const std::string empty = folder_.write("a.log", "");
  LogMatcher matcher = looking_at({mined(empty, 7)}, {empty});
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 10))), "new");
  EXPECT_EQ(match(matcher, empty), "empty");
  folder_.write("a.log", lines(20, 30));
  EXPECT_EQ(match(matcher, empty), "7");
}

TEST_F(LogMatching, WhatWasLostWithAnEmptyFileIsNotLostWithTheNextInItsInode) {
  const std::string empty = folder_.write("a.log", "");
  db::LogRecord record = mined(empty, 7);
  if (record.born_ns == 0) GTEST_SKIP() << "the file system tells no births";
  record.born_ns -= 1;
  folder_.write("a.log", lines(20, 30));
  LogMatcher matcher = looking_at({record}, {empty});
  EXPECT_EQ(match(matcher, empty), "new");
}

TEST_F(LogMatching, ACompressedLogThatIsNotCompleteIsWaitedForOnlyIfItMayBeThatLog) {
  const std::string log = folder_.write("a.log", lines(0, 1000));
  LogMatcher matcher = looking_at({mined(log, 7)}, {folder_ / "b.gz"});
  std::filesystem::remove(log);
  const auto cut_off = [&](const std::string& sound) {
    return folder_.write("b.gz", packed("gzip", sound) + packed("gzip", lines(8000, 8010)).substr(0, 20));
  };
  EXPECT_EQ(match(matcher, cut_off(lines(0, 5))), "wait");
  EXPECT_EQ(match(matcher, cut_off(lines(5000, 5005))), "new");
  EXPECT_EQ(match(matcher, cut_off(lines(0, 1) + lines(5000, 5005))), "new, perhaps twice");
}

// After its first KiB.
TEST_F(LogMatching, ACompressedLogThatIsNotCompleteIsWaitedForAlsoIfLinesOfItWereChanged) {
  const std::string log = folder_.write("a.log", lines(0, 1000));
  const db::LogRecord record = mined(log, 7);
  marks_[7] = {{0, record.offset, 0, logs::line_hashes(lines(0, 1000))}};
  LogMatcher matcher = looking_at({record}, {folder_ / "b.gz"});
  std::filesystem::remove(log);
  const std::string sound = packed("gzip", lines(0, 200) + "LINE 200\n" + lines(201, 300));
  folder_.write("b.gz", sound + packed("gzip", lines(300, 1000)).substr(0, 20));
  EXPECT_EQ(match(matcher, folder_ / "b.gz"), "wait");
}

// A new file may have the inode of a known one, and be anything while there is nothing in it.
TEST_F(LogMatching, NothingIsSaidOfAFileWithNothingInIt) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  const std::string reused = folder_.write("b.log", lines(100, 200));
  const std::string whole = packed("gzip", lines(0, 100));
  LogMatcher matcher = looking_at({mined(log, 7), mined(reused, 8)}, {log, reused});
  std::filesystem::remove(log);
  const std::string other = folder_ / "a.log.gz";
  std::filesystem::rename(reused, other);
  for (const std::size_t size : {0U, 1U}) {
    std::ofstream(other, std::ios::trunc) << whole.substr(0, size);
    EXPECT_EQ(match(matcher, other), "empty") << size;
  }
  std::ofstream(other, std::ios::trunc) << whole.substr(0, 12);
  EXPECT_EQ(match(matcher, other), "wait");
  std::ofstream(other, std::ios::trunc) << whole;
  EXPECT_EQ(match(matcher, other), "7");
}

TEST_F(LogMatching, UpdatedRecordsCount) {
  const std::string log = folder_.write("a.log", lines(0, 100));
  LogMatcher matcher = looking_at({}, {log});
  EXPECT_EQ(match(matcher, log), "new");
  matcher.update(mined(log, 1));
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 100))), "copy");
}

TEST_F(LogMatching, OnlyTheFileItselfIsKnownFromOutside) {
  const std::string old = folder_.write("z.log", lines(0, 100));
  const std::string copy = folder_.write("a.log", lines(0, 100));
  const LogMatcher matcher = looking_at({mined(old, 7)}, {copy, old});
  EXPECT_TRUE(matcher.is_known(must_see(old)));
  EXPECT_FALSE(matcher.is_known(must_see(copy)));
}

}  // namespace
}  // namespace qdedup::iteration
