#include "page/drawing.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace qdedup::page {
namespace {

const std::vector<std::int64_t> ids = {3, 5, 8, 13, 21};

TEST(Drawing, TakesDistinctIdsOfThose) {
  const std::vector<std::int64_t> drawn = draw(ids, 3, 1);
  ASSERT_EQ(drawn.size(), 3U);
  const std::set<std::int64_t> distinct(drawn.begin(), drawn.end());
  EXPECT_EQ(distinct.size(), 3U);
  for (const std::int64_t id : drawn) EXPECT_NE(std::ranges::find(ids, id), ids.end());
}

TEST(Drawing, TakesAllWhereThereAreFewer) {
  EXPECT_EQ(draw(ids, 9, 1).size(), 5U);
  EXPECT_TRUE(draw({}, 9, 1).empty());
}

TEST(Drawing, IsTheSameForTheSameSeed) {
  EXPECT_EQ(draw(ids, 5, 7), draw(ids, 5, 7));
  EXPECT_NE(draw(ids, 5, 7), draw(ids, 5, 8));
}

TEST(Drawing, GivesEachIdTheSameChance) {
  std::map<std::int64_t, int> drawn;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) ++drawn[draw(ids, 1, seed).front()];
  for (const std::int64_t id : ids) EXPECT_NEAR(drawn[id], 1000, 150) << id;
}

}  // namespace
}  // namespace qdedup::page
