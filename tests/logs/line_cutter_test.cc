#include "logs/line_cutter.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/reference/block_cutting.h"

namespace qdedup::logs {
namespace {

using namespace std::string_literals;

void add(LineCutter& cutter, std::string_view bytes, std::size_t block_bytes) {
  const std::span<char> room = cutter.room(block_bytes);
  ASSERT_LE(bytes.size(), room.size());
  std::copy(bytes.begin(), bytes.end(), room.begin());
  cutter.added(bytes.size());
}

// Puts `log` through a cutter in steps of at most `step` bytes.
std::vector<LineBlock> cut_all(std::string_view log, std::size_t max_line_bytes, std::size_t block_bytes,
                               std::size_t step, std::size_t least_room = LineCutter::default_least_room) {
  LineCutter cutter(max_line_bytes, {}, least_room);
  std::vector<LineBlock> blocks;
  while (true) {
    while (auto block = cutter.cut()) blocks.push_back(*std::move(block));
    if (log.empty()) break;
    const std::size_t count = std::min({log.size(), step, cutter.room(block_bytes).size()});
    add(cutter, log.substr(0, count), block_bytes);
    log.remove_prefix(count);
  }
  if (auto block = cutter.finish()) blocks.push_back(*std::move(block));
  return blocks;
}

std::vector<LineBlock> cut_all(std::string_view log, std::size_t max_line_bytes) {
  return cut_all(log, max_line_bytes, 1000, 1000);
}

TEST(LineCutter, DeliversWholeLines) {
  const auto blocks = cut_all("one\ntwo\n\nthr", 10);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].lines, "one\ntwo\n\n");
  EXPECT_EQ(blocks[0].begin.offset, 0U);
  EXPECT_EQ(blocks[0].end, reference::mark_at("one\ntwo\n\n", 9));
}

// Fault 21.
TEST(LineCutter, DeliversNothingOfALineWithoutNewline) {
  EXPECT_TRUE(cut_all("", 10).empty());
  EXPECT_TRUE(cut_all("one", 10).empty());
  EXPECT_TRUE(cut_all("much longer than ten bytes", 10).empty());
  EXPECT_TRUE(cut_all(std::string(100, '\0'), 10).empty());
}

TEST(LineCutter, DeliversALineOnceItsNewlineHasCome) {
  LineCutter cutter(10);
  add(cutter, "one\ntw", 100);
  EXPECT_EQ(cutter.cut()->lines, "one\n");
  EXPECT_FALSE(cutter.cut().has_value());
  EXPECT_FALSE(cutter.finish().has_value());
  add(cutter, "o\n", 100);
  const auto block = cutter.cut();
  EXPECT_EQ(block->lines, "two\n");
  EXPECT_EQ(block->begin.offset, 4U);
}

// Fault 22.
TEST(LineCutter, DropsAndCountsALineOverTheLimit) {
  const auto blocks = cut_all("one\n0123456789A\ntwo\n", 10);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].lines, "one\n");
  EXPECT_EQ(blocks[0].too_long_lines, 0U);
  EXPECT_EQ(blocks[1].lines, "two\n");
  EXPECT_EQ(blocks[1].too_long_lines, 1U);
  EXPECT_EQ(blocks[1].begin.offset, 16U);
}

TEST(LineCutter, HoldsOneBlockOfALineOfAHundredMegabytes) {
  LineCutter cutter(1000);
  const std::string part(1001, 'x');
  for (int i = 0; i < 100000; ++i) {
    add(cutter, part, 1000);
    EXPECT_FALSE(cutter.cut().has_value());
    EXPECT_LE(cutter.waiting().size(), 1001U);
  }
  add(cutter, "\nnext\n", 1000);
  const auto block = cutter.cut();
  EXPECT_EQ(block->lines, "next\n");
  EXPECT_EQ(block->too_long_lines, 1U);
  EXPECT_EQ(block->begin.offset, 100'100'001U);
}

TEST(LineCutter, TakesMemoryAsItsLinesNeedIt) {
  constexpr std::size_t block_bytes = 1U << 20U;
  LineCutter cutter(16U << 20U);
  EXPECT_EQ(cutter.room(block_bytes).size(), 1U << 16U);
  const auto fill = [&] {
    const std::span<char> room = cutter.room(block_bytes);
    std::ranges::fill(room, 'x');
    cutter.added(room.size());
    EXPECT_FALSE(cutter.cut().has_value());
  };
  while (cutter.waiting().size() < 3 * block_bytes) fill();
  EXPECT_LE(cutter.waiting().size(), 4 * block_bytes);
  cutter.room(block_bytes).front() = '\n';
  cutter.added(1);
  EXPECT_TRUE(cutter.cut().has_value());
  EXPECT_LE(cutter.room(block_bytes).size(), block_bytes);
  EXPECT_LE(cutter.capacity(), block_bytes + 100);
}

// Fault 13.
TEST(LineCutter, DropsALongRunOfNulBytesAndKeepsTheLine) {
  const auto blocks = cut_all("one\n"s + std::string(100, '\0') + "two\nthree\n", 10);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[1].lines, "two\nthree\n");
  EXPECT_EQ(blocks[1].nul_bytes, 100U);
  EXPECT_EQ(blocks[1].too_long_lines, 0U);
  EXPECT_EQ(blocks[1].begin.offset, 104U);
}

TEST(LineCutter, GoesOnAfterFinishInTheMiddleOfALongLine) {
  LineCutter cutter(3);
  add(cutter, "long", 4);
  EXPECT_FALSE(cutter.cut().has_value());
  EXPECT_FALSE(cutter.finish().has_value());
  add(cutter, "er\na\n", 5);
  const auto block = cutter.cut();
  EXPECT_EQ(block->lines, "a\n");
  EXPECT_EQ(block->too_long_lines, 1U);
  EXPECT_EQ(block->end, reference::mark_at("longer\na\n", 9));
}

// Lines whose lengths lie around the limit, some of them with NUL bytes before them or inside.
std::string random_log(std::mt19937_64& random, std::size_t max_line_bytes) {
  const std::vector<std::size_t> lengths = {0,
                                            1,
                                            max_line_bytes - std::min<std::size_t>(max_line_bytes, 1),
                                            max_line_bytes,
                                            max_line_bytes + 1,
                                            3 * max_line_bytes + 5};
  std::string log;
  for (std::size_t line = random() % 30; line > 0; --line) {
    if (random() % 3 == 0) log.append(lengths[random() % lengths.size()], '\0');
    for (std::size_t i = lengths[random() % lengths.size()]; i > 0; --i)
      log += random() % 9 == 0 ? '\0' : 'x';
    log += '\n';
  }
  if (random() % 2 == 0) log.append(lengths[random() % lengths.size()], random() % 2 == 0 ? '\0' : 'x');
  return log;
}

TEST(LineCutter, AgreesWithItsTwin) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t max_line_bytes = random() % 2 == 0 ? random() % 5 : random() % 100;
    const std::size_t block_bytes = 1 + random() % 200;
    const std::size_t least_room = 1 + random() % 16;
    const std::string log = random_log(random, max_line_bytes);
    std::size_t from = 0;
    for (const LineBlock& block : cut_all(log, max_line_bytes, block_bytes, 1 + random() % 300, least_room)) {
      ASSERT_EQ(reference::problem_of(block, log, from, max_line_bytes), "");
      ASSERT_LE(block.lines.size(), std::max(block_bytes, max_line_bytes + 1));
      from = static_cast<std::size_t>(block.end.offset);
    }
    ASSERT_EQ(from, reference::end_of_lines(log));
  }
}

}  // namespace
}  // namespace qdedup::logs
