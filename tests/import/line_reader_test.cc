#include "import/line_reader.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/memory_source.h"

namespace qdedup::import {
namespace {

LineReader reader_of(std::string bytes, std::size_t max_bytes = 1000, std::size_t portion = 1000) {
  return {std::make_unique<MemorySource>(std::move(bytes), portion), 0, "memory", max_bytes};
}

// Lines as "number:text", those that are too long as "number!".
std::vector<std::string> lines_of(LineReader reader) {
  std::vector<std::string> lines;
  while (true) {
    const auto more = reader.next();
    EXPECT_TRUE(more.ok());
    if (!*more) return lines;
    const std::string number = std::to_string(reader.number());
    lines.push_back(reader.too_long() ? number + "!" : number + ":" + std::string(reader.text()));
  }
}

using Lines = std::vector<std::string>;

TEST(LineReader, CountsLinesFromOne) {
  EXPECT_EQ(lines_of(reader_of("one\n\nthree\n")), (Lines{"1:one", "2:", "3:three"}));
}

TEST(LineReader, TakesALastLineWithoutNewline) {
  EXPECT_EQ(lines_of(reader_of("one\ntwo")), (Lines{"1:one", "2:two"}));
}

TEST(LineReader, FindsNoLinesInNothing) {
  EXPECT_EQ(lines_of(reader_of("")), Lines());
  EXPECT_EQ(lines_of(reader_of("\xEF\xBB\xBF")), Lines());
}

TEST(LineReader, PassesOverAByteOrderMarkAtTheStartOnly) {
  for (const std::size_t portion : {1U, 2U, 1000U}) {
    EXPECT_EQ(lines_of(reader_of("\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\n", 1000, portion)),
              (Lines{"1:one", "2:\xEF\xBB\xBFtwo"}));
  }
  EXPECT_EQ(lines_of(reader_of("\xEF\xBB")), (Lines{"1:\xEF\xBB"}));
}

TEST(LineReader, GivesUpALineThatIsTooLongAndNoOther) {
  for (const std::size_t portion : {1U, 3U, 1000U}) {
    EXPECT_EQ(lines_of(reader_of("0123\n01234\n0123\n012345678901234567890\n", 4, portion)),
              (Lines{"1:0123", "2!", "3:0123", "4!"}));
    EXPECT_EQ(lines_of(reader_of("01234", 4, portion)), (Lines{"1!"}));
  }
}

TEST(LineReader, RepeatsALine) {
  LineReader reader = reader_of("one\ntwo\n");
  ASSERT_TRUE(*reader.next());
  reader.repeat();
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.text(), "one");
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.text(), "two");
}

TEST(LineReader, ExtendsALineByThoseThatFollow) {
  LineReader reader = reader_of("one\r\ntwo\n\nfour");
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(*reader.extend(), LineReader::Extension::done);
  EXPECT_EQ(reader.text(), "one\r\ntwo");
  EXPECT_EQ(*reader.extend(), LineReader::Extension::done);
  EXPECT_EQ(reader.text(), "one\r\ntwo\n");
  EXPECT_EQ(reader.number(), 1U);
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.text(), "four");
  EXPECT_EQ(reader.number(), 4U);
  EXPECT_EQ(*reader.extend(), LineReader::Extension::at_end);
  EXPECT_EQ(reader.text(), "four");
}

TEST(LineReader, ExtendsUpToTheLimit) {
  LineReader reader = reader_of("12\n45\n6\n", 5, 1);
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(*reader.extend(), LineReader::Extension::done);
  EXPECT_EQ(*reader.extend(), LineReader::Extension::too_long);
  EXPECT_EQ(reader.text(), "12\n45");
}

TEST(LineReader, TakesBackWhatItExtended) {
  LineReader reader = reader_of("one\ntwo\nthree\n", 1000, 1);
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(*reader.extend(), LineReader::Extension::done);
  EXPECT_EQ(*reader.extend(), LineReader::Extension::done);
  reader.take_back();
  EXPECT_EQ(reader.text(), "one");
  EXPECT_EQ(lines_of(std::move(reader)), (Lines{"2:two", "3:three"}));
}

TEST(LineReader, AgreesWithSplittingAtNewlines) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t max_bytes = random() % 10;
    std::string bytes;
    Lines expected;
    for (std::size_t number = 1, count = random() % 20; number <= count; ++number) {
      const std::string line(random() % 15, 'x');
      const bool last = number == count && random() % 2 == 0 && !line.empty();
      bytes += line + (last ? "" : "\n");
      expected.push_back(std::to_string(number) + (line.size() > max_bytes ? "!" : ":" + line));
    }
    ASSERT_EQ(lines_of(reader_of(bytes, max_bytes, 1 + random() % 20)), expected);
  }
}

}  // namespace
}  // namespace qdedup::import
