#include "engine/components.h"

#include <vector>

#include <gtest/gtest.h>

#include "miner/seed_lists.h"

namespace qdedup::engine {
namespace {

using Clusters = std::vector<std::vector<QuestionId>>;
using Open = std::vector<refine::Deletion>;
using Components = std::vector<ClusterComponent>;

// Clusters as the merge gives them: the lists share nothing.
miner::Clusters merged(const Clusters& clusters) {
  miner::SeedLists lists;
  for (const std::vector<QuestionId>& cluster : clusters) lists.append(1, cluster);
  return miner::merge(lists, {});
}

Components components(const Clusters& clusters, const Clusters& others, const Open& open) {
  const miner::Clusters of_the_merge = merged(clusters);
  return dependent_components(ClusterList(of_the_merge, others), DeletionIndex(open));
}

TEST(ClusterComponents, NoClustersNoComponents) { EXPECT_EQ(components({}, {}, {}), Components()); }

TEST(ClusterComponents, ClustersWithoutAPastAreIndependent) {
  EXPECT_EQ(components({{1, 2}, {3, 4}}, {}, {}), Components());
}

TEST(ClusterComponents, WhatIsDecidedAnewIsDependent) {
  EXPECT_EQ(components({{1, 2}, {3, 4}}, {{5, 6}}, {}), (Components{{2}}));
}

TEST(ClusterComponents, ClustersThatShareAQuestionBelongTogether) {
  EXPECT_EQ(components({{1, 2}, {3, 4}}, {{2, 5}}, {}), (Components{{0, 2}}));
  EXPECT_EQ(components({}, {{1, 2}, {3, 4}, {2, 5}}, {}), (Components{{0, 2}, {1}}));
}

TEST(ClusterComponents, AStandInIsShared) {
  EXPECT_EQ(components({{1, 2}, {3, 9}}, {}, {{9, 1}}), (Components{{0, 1}}));
}

TEST(ClusterComponents, TwoQuestionsWithOneKeeperBelongTogether) {
  EXPECT_EQ(components({{4, 8}, {5, 9}, {6, 7}}, {}, {{8, 1}, {9, 1}}), (Components{{0, 1}}));
}

TEST(ClusterComponents, AKeeperIsDependent) {
  EXPECT_EQ(components({{1, 2}, {3, 4}}, {}, {{9, 3}}), (Components{{1}}));
}

TEST(ClusterComponents, ADeletionElsewhereConcernsNobody) {
  EXPECT_EQ(components({{1, 2}, {3, 4}}, {}, {{9, 8}}), Components());
}

TEST(ClusterComponents, HangTogetherInChains) {
  EXPECT_EQ(components({{1, 2}, {3, 4}, {5, 6}}, {{2, 3}, {5, 7}, {9, 10}}, {}),
            (Components{{0, 1, 3}, {2, 4}, {5}}));
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
}  // namespace qdedup::engine
