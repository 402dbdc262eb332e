#include "miner/log_block.h"

#include <numeric>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

std::uint64_t rejected(const LineCounts& counts) {
  return std::accumulate(counts.rejected.begin(), counts.rejected.end(), std::uint64_t{0});
}

using namespace std::string_literals;
using testing::ElementsAre;

constexpr std::string_view good = "[[1,0.9],[2,0.8]]\n";

struct Mined {
  SeedLists lists;
  LineCounts counts;

  [[nodiscard]] std::uint64_t rejected(Rejection rejection) const {
    return counts.rejected.at(static_cast<std::size_t>(rejection));
  }
};

Mined mine(std::string_view block) {
  Mined mined;
  mine_block(block, *LineParser::create({}), {}, mined.lists, mined.counts);
  return mined;
}

void expect_balanced(const LineCounts& counts) {
  EXPECT_EQ(counts.lines, counts.selected + counts.unselected + rejected(counts));
}

TEST(MineBlock, CountsEachLineOnce) {
  const Mined mined = mine(
      "[[1,0.9],[2,0.8]]\n"
      "[[3,0.4],[4,0.4]]\n"
      "[]\n"
      "oops\n"
      "[[5,0.9],[6,0.1],[7,0.3]]\n");
  EXPECT_EQ(mined.counts.lines, 5U);
  EXPECT_EQ(mined.counts.selected, 2U);
  EXPECT_EQ(mined.counts.unselected, 2U);
  EXPECT_EQ(mined.rejected(Rejection::bad_json), 1U);
  expect_balanced(mined.counts);
  ASSERT_EQ(mined.lists.size(), 2U);
  EXPECT_THAT(mined.lists.ids(0), ElementsAre(1, 2));
  EXPECT_THAT(mined.lists.ids(1), ElementsAre(5, 7));
  EXPECT_EQ(mined.lists.top_score(1), 0.9);
}

TEST(MineBlock, OfNothingCountsNothing) { EXPECT_EQ(mine("").counts, LineCounts{}); }

TEST(MineBlock, AddsToWhatIsThere) {
  Mined mined = mine(good);
  mine_block("x\n", *LineParser::create({}), {}, mined.lists, mined.counts);
  mine_block(good, *LineParser::create({}), {}, mined.lists, mined.counts);
  EXPECT_EQ(mined.lists.size(), 2U);
  EXPECT_EQ(mined.counts.lines, 3U);
  expect_balanced(mined.counts);
}

TEST(MineBlock, UsesTheSettings) {
  SeedLists lists;
  LineCounts counts;
  mine_block("[[1,0.306],[2,0.303]]\n", *LineParser::create({}), {0.3, 0.3}, lists, counts);
  EXPECT_EQ(counts.selected, 1U);
}

TEST(MineBlock, ReadsObjects) {
  SeedLists lists;
  LineCounts counts;
  const auto parser = LineParser::create({LineFormat::object, "/results"});
  mine_block("{\"results\":[[1,0.9],[2,0.8]]}\n{}\n", *parser, {}, lists, counts);
  EXPECT_EQ(counts.selected, 1U);
  EXPECT_EQ(rejected(counts), 1U);
}

// Fault 13.
TEST(MineBlockFaults, NulBytesAtTheStartOfALineArePassedOver) {
  const Mined mined =
      mine(std::string(5000, '\0').append(good) + "\0\0"s.append(good) + "\0\0\n"s.append(good));
  EXPECT_EQ(mined.counts.lines, 4U);
  EXPECT_EQ(mined.counts.selected, 3U);
  EXPECT_EQ(mined.rejected(Rejection::blank), 1U);
  expect_balanced(mined.counts);
}

TEST(MineBlockFaults, NulBytesWithinALineAreRejected) {
  const Mined mined = mine("[[1,0.9],\0[2,0.8]]\n"s.append(good));
  EXPECT_EQ(mined.rejected(Rejection::nul_byte), 1U);
  EXPECT_EQ(mined.counts.selected, 1U);
}

// Fault 22.
TEST(MineBlockFaults, AHugeLineIsOneRejectionAndTheNextIsKept) {
  const Mined deep = mine(std::string(100000, '[') + "\n" + std::string(good));
  EXPECT_EQ(deep.rejected(Rejection::too_deep), 1U);
  EXPECT_EQ(deep.counts.selected, 1U);

  std::string huge(good);
  huge.insert(huge.begin(), 100'000'000, 'x');
  huge.insert(100'000'000, "\n");
  const Mined longest = mine(huge);
  EXPECT_EQ(longest.rejected(Rejection::bad_json), 1U);
  EXPECT_EQ(longest.counts.selected, 1U);
}

// Faults 23 and 24: each odd line has its outcome, and the line behind it is kept.
TEST(MineBlockFaults, AnOddLineCostsOnlyItself) {
  const struct {
    std::string_view line;
    Rejection reason;
  } rows[] = {
      {"[[0,0.9],[2,0.8]]", Rejection::bad_id},
      {"[[-1,0.9],[2,0.8]]", Rejection::bad_id},
      {"[[9223372036854775808,0.9],[2,0.8]]", Rejection::bad_id},
      {"[[18446744073709551616,0.9],[2,0.8]]", Rejection::bad_id},
      {"[[18446744073709551617,0.9],[2,0.8]]", Rejection::bad_id},
      {"[[1.5,0.9],[2,0.8]]", Rejection::bad_id},
      {"[[\"7\",0.9],[2,0.8]]", Rejection::bad_id},
      {"[[1,NaN],[2,0.8]]", Rejection::bad_json},
      {"[[1,1e999],[2,0.8]]", Rejection::bad_score},
      {"[[1],[2,0.8]]", Rejection::bad_pair},
      {"[[1,0.9],[2,0.8]]\xff", Rejection::bad_utf8},
      {"[[1,0.9],[2,0.8]][[1,0.9],[2,0.8]]", Rejection::trailing_data},
      {"", Rejection::blank},
      {"\r", Rejection::blank},
  };
  for (const auto& row : rows) {
    const Mined mined = mine(std::string(row.line) + "\n" + std::string(good));
    EXPECT_EQ(mined.rejected(row.reason), 1U) << row.line;
    EXPECT_EQ(rejected(mined.counts), 1U) << row.line;
    EXPECT_EQ(mined.counts.selected, 1U) << row.line;
    expect_balanced(mined.counts);
  }
}

// Fault 24.
TEST(MineBlockFaults, ByteOrderMarkAndCarriageReturnDoNoHarm) {
  const Mined mined = mine("\xEF\xBB\xBF[[1,0.9],[2,0.8]]\r\n[[1,0.9],[2,0.8]]\r\n");
  EXPECT_EQ(mined.counts.selected, 2U);
  EXPECT_EQ(mine("[]\n").counts.unselected, 1U);
}

TEST(MineBlock, KeepsHowTheFirstLineOfEachRejectionBegins) {
  std::string questions;
  for (int i = 0; i < 40; ++i) questions += "题";
  Mined mined = mine("[info]\n\n[no]\n[[0,1]]\n");
  mined.counts += mine("{}\nother\n").counts;
  mined.counts += mine("\"" + questions + "\"\n").counts;
  const auto first = [&](Rejection rejection) {
    return mined.counts.first_rejected.at(static_cast<std::size_t>(rejection));
  };
  EXPECT_EQ(first(Rejection::bad_json), "[info]");
  EXPECT_EQ(first(Rejection::blank), "");
  EXPECT_EQ(first(Rejection::bad_id), "[[0,1]]");
  EXPECT_EQ(first(Rejection::not_a_list), "{}");
  const std::string cut =
      mine(questions + "\n").counts.first_rejected.at(static_cast<std::size_t>(Rejection::bad_json));
  EXPECT_EQ(cut, questions.substr(0, 26 * std::string("题").size()) + "…");
}

TEST(LineCounts, AddUp) {
  LineCounts sum = mine("[]\nx\n").counts;
  sum += mine("[[1,0.9],[2,0.8]]\ny\n[]x\n").counts;
  EXPECT_EQ(sum.lines, 5U);
  EXPECT_EQ(sum.selected, 1U);
  EXPECT_EQ(sum.unselected, 1U);
  EXPECT_EQ(rejected(sum), 3U);
  EXPECT_EQ(sum.rejected.at(static_cast<std::size_t>(Rejection::bad_json)), 2U);
  EXPECT_EQ(sum.rejected.at(static_cast<std::size_t>(Rejection::trailing_data)), 1U);
}

}  // namespace
}  // namespace qdedup::miner
