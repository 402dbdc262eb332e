#include "iteration/log_matching.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

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
    while (auto block = must(file.next_block(100))) {
      record.offset = block->end.offset;
      record.head_hash = block->end.head_hash;
      record.tail_hash = block->end.tail_hash;
    }
    return record;
  }

  // "new", "copy", or the id of the record that the file goes on with.
  std::string match(LogMatcher& matcher, const std::string& path) {
    const LogMatcher::Match found = must(matcher.match(must(files_.open(path)), path));
    if (found.use == LogMatcher::Use::copy) return "copy";
    if (found.use == LogMatcher::Use::wait) return "wait";
    if (found.use == LogMatcher::Use::done) return "done";
    if (found.use == LogMatcher::Use::empty) return "empty";
    return found.record.id == 0 ? (found.record.possible_loss ? "new, possible loss" : "new")
                                : std::to_string(found.record.id);
  }

  [[nodiscard]] logs::FileSignature must_see(const std::string& path) const {
    return files_.signature(path).value();
  }

  LogMatcher looking_at(std::vector<db::LogRecord> known, const std::vector<std::string>& paths) {
    LogMatcher matcher(files_, std::move(known), max_line_bytes);
    matcher.look_at(paths);
    return matcher;
  }

  TemporaryFolder folder_;
  logs::DiskFiles files_;
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
  EXPECT_EQ(match(matcher, folder_.write("b.log", lines(0, 400) + "other\n")), "new");
  EXPECT_EQ(match(matcher, folder_.write("c.log", lines(0, 501))), "new");
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
