#include "iteration/cluster_units.h"

#include <vector>

#include <gtest/gtest.h>

#include "miner/seed_lists.h"

namespace qdedup::iteration {
namespace {

using Clusters = std::vector<std::vector<QuestionId>>;
using Open = std::vector<refine::Deletion>;
using Units = std::vector<ClusterUnit>;

// Clusters as the merge gives them: the lists share nothing.
miner::Clusters merged(const Clusters& clusters) {
  miner::SeedLists lists;
  for (const std::vector<QuestionId>& cluster : clusters) lists.append(1, cluster);
  return miner::merge(lists, {});
}

Units units(const Clusters& clusters, const Clusters& others, const Open& open) {
  const miner::Clusters of_the_merge = merged(clusters);
  return concerned_units(ClusterList(of_the_merge, others), DeletionIndex(open));
}

TEST(ClusterUnits, NoClustersNoUnits) { EXPECT_EQ(units({}, {}, {}), Units()); }

TEST(ClusterUnits, ClustersWithoutAPastAreFree) { EXPECT_EQ(units({{1, 2}, {3, 4}}, {}, {}), Units()); }

TEST(ClusterUnits, WhatIsDecidedAnewIsNotFree) {
  EXPECT_EQ(units({{1, 2}, {3, 4}}, {{5, 6}}, {}), (Units{{2}}));
}

TEST(ClusterUnits, ClustersThatShareAQuestionBelongTogether) {
  EXPECT_EQ(units({{1, 2}, {3, 4}}, {{2, 5}}, {}), (Units{{0, 2}}));
  EXPECT_EQ(units({}, {{1, 2}, {3, 4}, {2, 5}}, {}), (Units{{0, 2}, {1}}));
}

TEST(ClusterUnits, AStandInIsShared) { EXPECT_EQ(units({{1, 2}, {3, 9}}, {}, {{9, 1}}), (Units{{0, 1}})); }

TEST(ClusterUnits, TwoQuestionsWithOneKeeperBelongTogether) {
  EXPECT_EQ(units({{4, 8}, {5, 9}, {6, 7}}, {}, {{8, 1}, {9, 1}}), (Units{{0, 1}}));
}

TEST(ClusterUnits, AKeeperIsConcerned) { EXPECT_EQ(units({{1, 2}, {3, 4}}, {}, {{9, 3}}), (Units{{1}})); }

TEST(ClusterUnits, ADeletionElsewhereConcernsNobody) {
  EXPECT_EQ(units({{1, 2}, {3, 4}}, {}, {{9, 8}}), Units());
}

TEST(ClusterUnits, HangTogetherInChains) {
  EXPECT_EQ(units({{1, 2}, {3, 4}, {5, 6}}, {{2, 3}, {5, 7}, {9, 10}}, {}), (Units{{0, 1, 3}, {2, 4}, {5}}));
}

TEST(DeletionIndex, AreFoundByQuestionAndByKeeper) {
  const DeletionIndex open({{5, 1}, {6, 2}, {9, 1}});
  EXPECT_EQ(open.of_question(6).size(), 1U);
  EXPECT_EQ(open.of_question(6).front().keeper, 2);
  EXPECT_TRUE(open.of_question(1).empty());
  ASSERT_EQ(open.of_keeper(1).size(), 2U);
  EXPECT_EQ(open.of_keeper(1)[0].question, 5);
  EXPECT_EQ(open.of_keeper(1)[1].question, 9);
  EXPECT_TRUE(open.of_keeper(5).empty());
}

}  // namespace
}  // namespace qdedup::iteration
