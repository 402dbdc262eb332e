// LogFile::resume.

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "logs/log_file.h"
#include "tests/reference/block_cutting.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/log_reading.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::logs {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;

class Resume : public ::testing::TestWithParam<std::string> {
 protected:
  LogFile open_packed(const std::string& name, const std::string& content) {
    return open_log(folder_.write(name, packed(GetParam(), content)));
  }

  TemporaryFolder folder_;
};

TEST_P(Resume, GoesOnAtTheMark) {
  const std::string content = numbered_lines(1, 1000);
  LogFile log = open_packed("a.log", content);
  const LogMark mark = reference::mark_at(content, numbered_lines(1, 600).size());
  const auto resumed = log.resume(mark);
  ASSERT_TRUE(resumed.ok());
  EXPECT_TRUE(*resumed);
  const ReadLog read = read_on(log);
  EXPECT_EQ(lines_of(read), numbered_lines(601, 1000));
  EXPECT_EQ(read.blocks.back().end, reference::mark_at(content, content.size()));
}

TEST_P(Resume, FindsNothingNewAtTheEnd) {
  const std::string content = numbered_lines(1, 100);
  LogFile log = open_packed("a.log", content);
  EXPECT_TRUE(*log.resume(reference::mark_at(content, content.size())));
  EXPECT_TRUE(read_on(log).blocks.empty());
}

TEST_P(Resume, AMarkAtTheBeginningFitsEveryLog) {
  LogFile log = open_packed("a.log", "one\n");
  EXPECT_TRUE(*log.resume(LogMark()));
  EXPECT_EQ(lines_of(read_on(log)), "one\n");
}

TEST_P(Resume, ALogThatIsShorterStartsAtTheBeginning) {
  const std::string content = numbered_lines(1, 100);
  for (const std::string& shorter : {numbered_lines(1, 99), "this is line 1\n"s, ""s}) {
    LogFile log = open_packed("a.log", shorter);
    EXPECT_FALSE(*log.resume(reference::mark_at(content, content.size())));
    EXPECT_EQ(lines_of(read_on(log)), shorter);
  }
}

// Fault 14: the inode of a log that is gone may come back for another.
TEST_P(Resume, AnotherLogStartsAtTheBeginning) {
  const std::string content = numbered_lines(1, 1000);
  const std::string other = numbered_lines(2, 1001);
  LogFile log = open_packed("a.log", other);
  EXPECT_FALSE(*log.resume(reference::mark_at(content, content.size() / 15 * 15)));
  EXPECT_EQ(lines_of(read_on(log)), other);
}

// Fault 12: the same beginning, but other bytes before the offset.
TEST_P(Resume, ALogThatIsTheSameOnlyAtItsBeginningStartsThere) {
  const std::string beginning = numbered_lines(1, 200);
  const std::string content = beginning + std::string(500, 'x') + "\n" + numbered_lines(1, 50);
  const std::string other = beginning + std::string(500, 'y') + "\n" + numbered_lines(1, 50);
  const std::size_t offset = beginning.size() + 501;
  LogFile log = open_packed("a.log", other);
  EXPECT_FALSE(*log.resume(reference::mark_at(content, offset)));
  EXPECT_EQ(lines_of(read_on(log)), other);
}

TEST_P(Resume, TriesOneMarkAfterTheOther) {
  const std::string content = numbered_lines(1, 1000);
  const std::string other = numbered_lines(2, 1001);
  LogFile log = open_packed("a.log", content);
  EXPECT_FALSE(*log.resume(reference::mark_at(other, numbered_lines(2, 500).size())));
  EXPECT_FALSE(*log.resume(reference::mark_at(content + "more\n", content.size() + 5)));
  EXPECT_TRUE(*log.resume(reference::mark_at(content, numbered_lines(1, 500).size())));
  EXPECT_EQ(lines_of(read_on(log)), numbered_lines(501, 1000));
}

TEST_P(Resume, ASenselessOffsetStartsAtTheBeginning) {
  LogFile log = open_packed("a.log", "one\n");
  EXPECT_FALSE(*log.resume({~std::uint64_t{0}, 1, 2}));
  EXPECT_EQ(lines_of(read_on(log)), "one\n");
}

INSTANTIATE_TEST_SUITE_P(InEveryCompression, Resume, ::testing::Values("cat", "gzip", "zstd -q"),
                         [](const auto& chosen) {
                           return chosen.param.substr(0, 4) == "zstd" ? "zstd" : chosen.param;
                         });

// Fault 15.
TEST(LogFileResume, KnowsALogAgainUnderAnotherCompression) {
  const TemporaryFolder folder;
  const std::string content = numbered_lines(1, 1000);
  LogFile plain = open_log(folder.write("app.log", content));
  const LogMark mark = (*plain.next_block(4096))->end;
  for (const std::string tool : {"gzip", "zstd -q"}) {
    LogFile log = open_log(folder.write("app.log.1", packed(tool, content)));
    ASSERT_TRUE(*log.resume(mark));
    EXPECT_EQ(lines_of(read_on(log)), content.substr(static_cast<std::size_t>(mark.offset)));
  }
}

// A log that is being compressed is shorter than its mark for a while.
TEST(LogFileResume, SaysWhenACompressedLogMayStillGrowUpToTheMark) {
  const TemporaryFolder folder;
  const std::string content = numbered_lines(1, 5000);
  const LogMark mark = reference::mark_at(content, content.size());
  for (const std::string tool : {"gzip", "zstd -q"}) {
    const std::string bytes = packed(tool, content);
    LogFile half = open_log(folder.write("half", bytes.substr(0, bytes.size() / 2)));
    EXPECT_FALSE(*half.resume(mark));
    EXPECT_TRUE(half.cut_off());
    LogFile other = open_log(folder.write("other", packed(tool, "other\n")));
    EXPECT_FALSE(*other.resume(mark));
    EXPECT_FALSE(other.cut_off());
  }
}

TEST(LogFileResume, FailsWhereACompressedLogIsDamagedBeforeTheMark) {
  const TemporaryFolder folder;
  const std::string content = numbered_lines(1, 5000);
  std::string bytes = packed("gzip", content);
  bytes.replace(bytes.size() / 2, 20, 20, '\xFF');
  LogFile log = open_log(folder.write("a.log.gz", bytes));
  const auto resumed = log.resume(reference::mark_at(content, content.size()));
  ASSERT_FALSE(resumed.ok());
  EXPECT_EQ(resumed.error().code, ErrorCode::data);
  EXPECT_THAT(resumed.error().message, HasSubstr("a.log.gz: damaged gzip data"));
  EXPECT_TRUE(read_on(log).blocks.empty());
}

// Lines whose lengths lie around the limit and around the window of a mark.
std::string random_log(std::mt19937_64& random) {
  const std::vector<std::size_t> lengths = {0, 1, limit - 1, limit, limit + 1, LogMark::window, 5 * limit};
  std::string log;
  for (std::size_t line = random() % 40; line > 0; --line) {
    if (random() % 8 == 0) log.append(lengths[random() % lengths.size()], '\0');
    log.append(lengths[random() % lengths.size()], static_cast<char>('a' + random() % 26));
    log += '\n';
  }
  return log + std::string(random() % 3000, 'x');
}

TEST_P(Resume, TailHashesAreThoseOfTheMarks) {
  const std::string content = numbered_lines(1, 1000);
  const auto file = open_file(folder_.write("a.log", packed(GetParam(), content)));
  const auto hashes = tail_hashes(file, {10, 5000, content.size(), content.size() + 1});
  ASSERT_TRUE(hashes.ok());
  EXPECT_EQ(hashes->size(), 3U);
  for (const auto& [offset, hash] : *hashes) {
    EXPECT_EQ(hash, reference::mark_at(content, static_cast<std::size_t>(offset)).tail_hash) << offset;
  }
}

TEST(LogFileRandom, AgreesWithItsTwinAndResumesAtEveryMark) {
  std::mt19937_64 random(3);
  const TemporaryFolder folder;
  for (std::size_t round = 0; round < 60; ++round) {
    const std::string content = random_log(random);
    const std::vector<std::string> paths = {folder.write("plain", content),
                                            folder.write("gzip", packed("gzip -1", content)),
                                            folder.write("zstd", packed("zstd -q -1", content))};
    LogFile log = open_log(paths[round % 3]);
    std::size_t from = 0;
    for (const LineBlock& block : read_on(log, 1 + random() % 5000).blocks) {
      ASSERT_EQ(reference::problem_of(block, content, from, limit), "") << round;
      from = static_cast<std::size_t>(block.end.offset);
      LogFile resumed = open_log(paths[random() % 3]);
      ASSERT_TRUE(*resumed.resume(block.end));
      std::size_t rest_from = from;
      for (const LineBlock& rest : read_on(resumed, 1 + random() % 5000).blocks) {
        ASSERT_EQ(reference::problem_of(rest, content, rest_from, limit), "") << round;
        rest_from = static_cast<std::size_t>(rest.end.offset);
      }
      ASSERT_EQ(rest_from, reference::end_of_lines(content));
    }
    ASSERT_EQ(from, reference::end_of_lines(content));
  }
}

}  // namespace
}  // namespace qdedup::logs
