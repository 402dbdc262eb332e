// The counts that the real search log of the conformance data must give, whatever the order of its lines.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "miner/clusters.h"
#include "miner/log_block.h"
#include "tests/support/conformance_data.h"

namespace qdedup::miner {
namespace {

class RealLog : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path path = conformance_data() / "search.log";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no conformance data: " << path;
    std::ifstream log(path);
    for (std::string line; std::getline(log, line);) lines.push_back(line + "\n");
  }

  // Mines the lines in as many pieces, the last piece first.
  Clusters mine_in_pieces(std::size_t pieces) {
    SeedLists lists;
    counts = {};
    for (std::size_t piece = pieces; piece-- > 0;) {
      std::string block;
      for (std::size_t i = lines.size() * piece / pieces; i < lines.size() * (piece + 1) / pieces; ++i)
        block += lines[i];
      mine_block(block, *LineParser::create({}), {}, lists, counts);
    }
    return merge(lists, {});
  }

  void expect_known_counts(const MergeCounts& merged) const {
    EXPECT_EQ(counts.lines, 60000U);
    EXPECT_EQ(counts.selected, 20276U);
    EXPECT_EQ(counts.unselected, 60000U - 20276U);
    EXPECT_EQ(merged.lists, 20276U);
    EXPECT_EQ(merged.distinct_lists, 13775U);
    EXPECT_EQ(merged.ids, 18451U);
    EXPECT_EQ(merged.clusters, 4674U);
    EXPECT_EQ(merged.largest_cluster, 200U);
    EXPECT_EQ(merged.refused_joins, 3570U);
  }

  std::vector<std::string> lines;
  LineCounts counts;
};

void expect_same(const Clusters& a, const Clusters& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(std::ranges::equal(a.ids(i), b.ids(i)));
}

TEST_F(RealLog, GivesTheKnownCounts) { expect_known_counts(mine_in_pieces(1).counts()); }

TEST_F(RealLog, GivesTheSameShuffledAndInTenPieces) {
  const Clusters expected = mine_in_pieces(1);
  std::mt19937_64 random(1);
  std::shuffle(lines.begin(), lines.end(), random);
  const Clusters shuffled = mine_in_pieces(10);
  expect_known_counts(shuffled.counts());
  expect_same(shuffled, expected);
}

}  // namespace
}  // namespace qdedup::miner
