#include "iteration/log_matching.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "logs/log_mark.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t max_line_bytes = 1000;

std::string lines(int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

class LogMatching : public testing::Test {
 protected:
  // Reads the log to its end, as a new one, and answers its record.
  db::LogRecord mined(const std::string& path, std::int64_t id) {
    auto file = must(logs::LogFile::open(must(files_.open(path)), max_line_bytes));
    db::LogRecord record;
    record.id = id;
    record.path = path;
    const logs::FileSignature& opened = file.signature_when_opened();
    record.device = opened.identity.device;
    record.inode = opened.identity.inode;
    record.born_ns = opened.born_ns;
    marks_[id].clear();
    while (auto block = must(file.next_block(100))) {
      marks_[id].push_back(
          {block->begin.offset, block->end.offset, block->begin.tail_hash, logs::line_hashes(block->lines)});
      if (record.offset == 0) record.first_line = logs::first_line_hash(marks_[id].front().line_hashes);
      record.offset = block->end.offset;
      record.head_hash = block->end.head_hash;
      record.tail_hash = block->end.tail_hash;
      record.totals.lines += logs::line_hashes(block->lines).size();
    }
    return record;
  }

  // "new", "copy", or the id of the record that the file goes on with.
  std::string match(LogMatcher& matcher, const std::string& path) {
    const LogMatcher::Match found = must(matcher.match(must(files_.open(path)), path));
    if (found.use == LogMatcher::Use::copy) return "copy";
    if (found.use == LogMatcher::Use::wait) return "wait";
    if (found.use == LogMatcher::Use::done) return "done";
    if (found.use == LogMatcher::Use::shorter) {
      return (found.brief ? "brief " : "shorter ") + std::to_string(found.record.id);
    }
    if (found.use == LogMatcher::Use::empty) return "empty";
    if (found.record.id != 0) return std::to_string(found.record.id);
    return std::string("new") + (found.record.possible_loss ? ", possible loss" : "") +
           (found.record.possible_twice ? ", perhaps twice" : "");
  }

  [[nodiscard]] logs::FileSignature must_see(const std::string& path) const {
    return logs::signature_of(path).value();
  }

  LogMatcher looking_at(std::vector<db::LogRecord> known, const std::vector<std::string>& paths) {
    LogMatcher matcher(files_, std::move(known), max_line_bytes, [this](std::int64_t id) {
      return Result<std::vector<db::LogMarkRecord>>(marks_[id]);
    });
    matcher.look_at(paths);
    return matcher;
  }

  TemporaryFolder folder_;
  logs::Files files_;
  std::map<std::int64_t, std::vector<db::LogMarkRecord>> marks_;
};

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
