#include "miner/seed_lists.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/seed_list_samples.h"

namespace qdedup::miner {
namespace {

using support::as_seed_lists;
using testing::ElementsAre;
using Ids = std::vector<QuestionId>;

TEST(SeedLists, HoldWhatWasAppended) {
  SeedLists lists;
  EXPECT_TRUE(lists.empty());
  lists.append(0.9, Ids{3, 1});
  lists.append(0.8, Ids{2, 5, 4});
  ASSERT_EQ(lists.size(), 2U);
  EXPECT_EQ(lists.top_score(1), 0.8);
  EXPECT_THAT(lists.ids(0), ElementsAre(3, 1));
  EXPECT_THAT(lists.ids(1), ElementsAre(2, 5, 4));
}

TEST(SeedLists, AppendOthersBehindTheirOwn) {
  SeedLists lists = as_seed_lists({{0.9, {3, 1}}});
  lists.append(as_seed_lists({{0.8, {2, 5, 4}}, {0.7, {6, 7}}}));
  lists.append(SeedLists());
  lists.append(0.6, Ids{8, 9});
  ASSERT_EQ(lists.size(), 4U);
  EXPECT_EQ(lists.top_score(2), 0.7);
  EXPECT_THAT(lists.ids(0), ElementsAre(3, 1));
  EXPECT_THAT(lists.ids(1), ElementsAre(2, 5, 4));
  EXPECT_THAT(lists.ids(2), ElementsAre(6, 7));
  EXPECT_THAT(lists.ids(3), ElementsAre(8, 9));
}

TEST(SeedLists, ClearForgetsAll) {
  SeedLists lists = as_seed_lists({{0.9, {3, 1}}});
  lists.clear();
  EXPECT_TRUE(lists.empty());
  lists.append(0.8, Ids{2, 5});
  EXPECT_THAT(lists.ids(0), ElementsAre(2, 5));
}

}  // namespace
}  // namespace qdedup::miner
