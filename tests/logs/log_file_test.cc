#include "logs/log_file.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include <gmock/gmock.h>

#include "logs/log_mark.h"
#include "tests/reference/block_cutting.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/log_reading.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::logs {
namespace {

using ::testing::StartsWith;

TEST(LogFile, ReadsALogInBlocks) {
  const TemporaryFolder folder;
  const std::string content = numbered_lines(1, 1000);
  LogFile log = open_log(folder.write("a.log", content));
  const ReadLog read = read_on(log);
  EXPECT_GT(read.blocks.size(), 4U);
  EXPECT_EQ(lines_of(read), content);
  EXPECT_FALSE(read.error.has_value());
  EXPECT_EQ(log.bytes_read(), content.size());
}

TEST(LogFile, TellsWhatItIs) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.log", packed("zstd -q", "a\n"));
  const LogFile log = open_log(path);
  EXPECT_EQ(log.path(), path);
  EXPECT_EQ(log.compression(), Compression::zstd);
  const LogFile same = open_log(path);
  const FileIdentity identity = log.signature_when_opened().identity;
  EXPECT_EQ(identity, same.signature_when_opened().identity);
  EXPECT_NE(open_log(folder.write("b.log", "a\n")).signature_when_opened().identity, identity);
}

// Fault 17.
TEST(LogFile, ReadsNothingFromAnEmptyLog) {
  const TemporaryFolder folder;
  LogFile log = open_log(folder.write("a.log", ""));
  EXPECT_TRUE(read_on(log).blocks.empty());
  EXPECT_FALSE(log.cut_off());
}

TEST(LogFile, GoesOnWithWhatIsWrittenAfterTheEndWasSeen) {
  const TemporaryFolder folder;
  LogFile log = open_log(folder.write("a.log", "one\ntw"));
  EXPECT_EQ(lines_of(read_on(log)), "one\n");
  folder.append("a.log", "o\nthree\n");
  EXPECT_EQ(lines_of(read_on(log)), "two\nthree\n");
}

// Fault 9: the log is renamed while half a line is written, and finished under its new name.
TEST(LogFile, ReadsOnInALogThatWasRenamed) {
  const TemporaryFolder folder;
  LogFile log = open_log(folder.write("a.log", "one\ntw"));
  EXPECT_EQ(lines_of(read_on(log)), "one\n");
  std::filesystem::rename(folder / "a.log", folder / "a.log.1");
  folder.append("a.log.1", "o\n");
  folder.write("a.log", "three\n");
  EXPECT_EQ(lines_of(read_on(log)), "two\n");
}

// Fault 18.
TEST(LogFile, ReadsOnInALogThatWasRemoved) {
  const TemporaryFolder folder;
  LogFile log = open_log(folder.write("a.log", "one\n"));
  std::filesystem::remove(folder / "a.log");
  EXPECT_EQ(lines_of(read_on(log)), "one\n");
}

TEST(LogFile, FindsOutLateThatALogIsCompressed) {
  const TemporaryFolder folder;
  for (const std::string tool : {"gzip", "zstd -q"}) {
    const std::string bytes = packed(tool, "one\n");
    for (const std::size_t first : {0U, 1U}) {
      LogFile log = open_log(folder.write("a.log", bytes.substr(0, first)));
      EXPECT_EQ(lines_of(read_on(log)), "");
      folder.append("a.log", bytes.substr(first));
      EXPECT_EQ(lines_of(read_on(log)), "one\n");
      EXPECT_NE(log.compression(), Compression::none);
    }
  }
}

TEST(LogFile, ReadsAShortLineOnceHoweverOftenItIsAsked) {
  const TemporaryFolder folder;
  for (const std::string content : {"\n", "a\n", "ab\n", "abc\n"}) {
    LogFile log = open_log(folder.write("a.log", content));
    const ReadLog read = read_on(log);
    EXPECT_EQ(lines_of(read), content);
    EXPECT_TRUE(read_on(log).blocks.empty());
    LogFile again = open_log(folder / "a.log");
    EXPECT_TRUE(*again.resume(read.blocks.back().end));
    EXPECT_TRUE(read_on(again).blocks.empty());
  }
}

// Fault 16.
TEST(LogFile, ReadsOfACompressedLogThatIsCutOffWhatIsComplete) {
  const TemporaryFolder folder;
  for (const std::string tool : {"gzip", "zstd -q", "zstd -q --no-check"}) {
    const std::string whole = packed(tool, "one\ntwo\nthr");
    const std::string cut = packed(tool, "ee\n" + numbered_lines(1, 5000));
    const std::string path = folder.write("a.log", whole + cut.substr(0, cut.size() - 1));
    LogFile log = open_log(path);
    const ReadLog read = read_on(log);
    EXPECT_FALSE(read.error.has_value());
    EXPECT_TRUE(log.cut_off());
    EXPECT_EQ(lines_of(read), "one\ntwo\n");
    folder.append("a.log", cut.substr(cut.size() - 1));
    const auto intact = log.intact();
    ASSERT_FALSE(intact.ok());  // to be opened again
    EXPECT_EQ(intact.error().code, ErrorCode::busy);
    LogFile grown = open_log(path);
    EXPECT_EQ(lines_of(read_on(grown)), "one\ntwo\nthree\n" + numbered_lines(1, 5000));
    EXPECT_FALSE(grown.cut_off());
  }
}

TEST(LogFile, ReadsNothingOfAMemberWhoseChecksumDoesNotHold) {
  const TemporaryFolder folder;
  for (const std::string tool : {"gzip", "zstd -q"}) {
    const std::string whole = packed(tool, numbered_lines(1, 10));
    std::string damaged = packed(tool, numbered_lines(11, 50'000));
    damaged[damaged.size() - (tool == "gzip" ? 8 : 1)] ^= 0x55;
    LogFile log = open_log(folder.write("a.log", whole + damaged + whole));
    const ReadLog read = read_on(log);
    EXPECT_EQ(lines_of(read), numbered_lines(1, 10));
    ASSERT_TRUE(read.error.has_value());
    EXPECT_EQ(read.error->code, ErrorCode::data);
  }
}

TEST(LogFile, PassesOverTheLinesOfAnother) {
  const TemporaryFolder folder;
  const std::string hashes = line_hashes(numbered_lines(1, 20'000));
  for (const std::string tool : {"cat", "gzip"}) {
    LogFile other = open_log(folder.write("a.log", packed(tool, numbered_lines(1, 19'999) + "other\nthis")));
    const auto passed = other.pass_over(hashes);
    ASSERT_TRUE(passed.ok());
    EXPECT_EQ(passed->lines, 19'999U);
    EXPECT_TRUE(passed->more);
    EXPECT_EQ(other.mark(), reference::mark_at(numbered_lines(1, 19'999), numbered_lines(1, 19'999).size()));
    EXPECT_EQ(lines_of(read_on(other)), "other\n");
    LogFile shorter = open_log(folder.write("b.log", packed(tool, numbered_lines(1, 10) + "this is")));
    EXPECT_FALSE(shorter.pass_over(hashes)->more);
    EXPECT_EQ(shorter.offset(), numbered_lines(1, 10).size());
  }
}

TEST(LogFile, DeliversEveryLineBeforeTheDamageAndThenTheError) {
  const TemporaryFolder folder;
  const std::string content = numbered_lines(1, 100);
  for (const std::string tool : {"gzip", "zstd -q"}) {
    const std::string path = folder.write("a.log", packed(tool, content) + "garbage");
    LogFile log = open_log(path);
    const ReadLog read = read_on(log, 100);
    EXPECT_EQ(lines_of(read), content);
    ASSERT_TRUE(read.error.has_value());
    EXPECT_EQ(read.error->code, ErrorCode::data);
    EXPECT_THAT(read.error->message, StartsWith(path + ": damaged "));
    EXPECT_TRUE(read_on(log).error.has_value());
  }
}

// Fault 22, at a size that would show if the line were held.
TEST(LogFile, CountsALineOfAHundredMegabytesOnceAndKeepsTheNext) {
  const TemporaryFolder folder;
  folder.write("a.log", "one\n");
  for (int i = 0; i < 100; ++i) folder.append("a.log", std::string(1'000'000, 'x'));
  LogFile log = open_log(folder.append("a.log", "\ntwo\n"));
  const ReadLog read = read_on(log, 100'000);
  ASSERT_EQ(read.blocks.size(), 2U);
  EXPECT_EQ(read.blocks[1].too_long_lines, 1U);
  EXPECT_EQ(lines_of(read), "one\ntwo\n");
}

// Fault 13: the writer goes on at its old offset in a log that was truncated.
TEST(LogFile, PassesOverTheHoleOfATruncatedLog) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.log", "");
  std::filesystem::resize_file(path, 50'000'000);
  folder.append("a.log", "one\ntwo\n");
  LogFile log = open_log(path);
  const ReadLog read = read_on(log, 100'000);
  EXPECT_EQ(lines_of(read), "one\ntwo\n");
  EXPECT_EQ(read.blocks.at(0).nul_bytes, 50'000'000U);
  EXPECT_EQ(read.blocks.at(0).begin.offset, 50'000'000U);
}

class CopyOfBeginning : public ::testing::Test {
 protected:
  static constexpr std::size_t chunk = 1U << 18U;  // that both are read in
  static constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();

  bool is_copy(const std::string& copy, const std::string& original) {
    folder_.write("copy", copy);
    folder_.write("original", original);
    so_far_ = {};
    return go_on(all).value();
  }

  std::optional<bool> go_on(std::uint64_t bytes) {
    const auto answer =
        is_copy_of_beginning(open_file(folder_ / "copy"), open_file(folder_ / "original"), so_far_, bytes);
    EXPECT_TRUE(answer.ok());
    return *answer;
  }

  TemporaryFolder folder_;
  Comparisons so_far_;
};

TEST_F(CopyOfBeginning, TrueForTheSameContentInAnyCompression) {
  const std::string content = numbered_lines(1, 50000);
  for (const std::string tool : {"cat", "gzip", "zstd -q"}) {
    EXPECT_TRUE(is_copy(packed(tool, content), content));
    EXPECT_TRUE(is_copy(content, packed(tool, content)));
  }
}

TEST_F(CopyOfBeginning, TrueForABeginning) {
  const std::string content = numbered_lines(1, 50000);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, chunk - 1, chunk, chunk + 1, content.size() - 1}) {
    EXPECT_TRUE(is_copy(content.substr(0, size), content)) << size;
  }
}

TEST_F(CopyOfBeginning, FalseForWhatIsLongerOrOther) {
  const std::string content = numbered_lines(1, 50000);
  EXPECT_FALSE(is_copy(content + "x", content));
  EXPECT_FALSE(is_copy("x", ""));
  for (const std::size_t place : {std::size_t{0}, content.size() / 2, content.size() - 1}) {
    std::string other = content;
    other[place] = '#';
    EXPECT_FALSE(is_copy(other, content)) << place;
  }
}

TEST_F(CopyOfBeginning, FailsWithTheNameOfTheFileThatIsDamaged) {
  const auto copy = open_file(folder_.write("copy", "one\n"));
  const auto damaged = open_file(folder_.write("damaged", packed("gzip", "one\n") + "garbage"));
  std::uint64_t bytes = all;
  EXPECT_THAT(is_copy_of_beginning(damaged, copy, so_far_, bytes).error().message,
              StartsWith(damaged->path()));
}

class ComparedInTurns : public CopyOfBeginning {
 protected:
  void SetUp() override {
    folder_.write("copy", content_);
    folder_.write("original", content_ + "more\n");
    EXPECT_EQ(go_on(3 * chunk), std::nullopt);
  }

  void replace(const std::string& name, std::size_t place) const {
    const auto before = std::filesystem::last_write_time(folder_ / name);
    std::fstream file(folder_ / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(place));
    file.put('#');
    file.close();
    std::filesystem::last_write_time(folder_ / name, before + std::chrono::seconds(1));
  }

  std::string content_ = std::string(4 * chunk, 'a') + '\n';
};

TEST_F(ComparedInTurns, GoesOnWhereItStopped) { EXPECT_EQ(go_on(2 * chunk), true); }

TEST_F(ComparedInTurns, GoesOnWhenBothGrow) {
  folder_.append("copy", "more\n");
  EXPECT_EQ(go_on(2 * chunk), true);
  folder_.append("copy", "other\n");
  folder_.append("original", "lines\n");
  EXPECT_EQ(go_on(2 * chunk), false);
}

TEST_F(ComparedInTurns, StaysFalse) {
  replace("original", 4 * chunk);
  EXPECT_EQ(go_on(2 * chunk), false);
  EXPECT_EQ(go_on(0), false);
}

TEST_F(ComparedInTurns, BeginsAnewWhenTheCopyChanges) {
  replace("copy", 2 * chunk);
  EXPECT_EQ(go_on(2 * chunk), std::nullopt);
  EXPECT_EQ(go_on(2 * chunk), false);
}

TEST_F(ComparedInTurns, BeginsAnewWhenOneIsAnother) {
  replace("original", 3 * chunk - 1);
  EXPECT_EQ(go_on(2 * chunk), std::nullopt);
  EXPECT_EQ(go_on(2 * chunk), false);
  folder_.write("copy", "other\n" + content_);
  EXPECT_EQ(go_on(0), false);
}

}  // namespace
}  // namespace qdedup::logs
