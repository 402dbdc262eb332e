#include "iteration/cluster_units.h"

#include <vector>

#include <gtest/gtest.h>

namespace qdedup::iteration {
namespace {

using Clusters = std::vector<std::vector<QuestionId>>;
using Open = std::vector<refine::Deletion>;

std::vector<ClusterUnit> units(const Clusters& clusters, const Open& open) {
  const std::vector<std::span<const QuestionId>> spans(clusters.begin(), clusters.end());
  return units_of(spans, open);
}

TEST(ClusterUnits, NoClustersNoUnits) { EXPECT_TRUE(units({}, {}).empty()); }

TEST(ClusterUnits, ClustersThatShareNothingStandAlone) {
  EXPECT_EQ(units({{1, 2}, {3, 4}}, {}), (std::vector<ClusterUnit>{{0}, {1}}));
}

TEST(ClusterUnits, ClustersThatShareAQuestionBelongTogether) {
  EXPECT_EQ(units({{1, 2}, {3, 4}, {2, 5}}, {}), (std::vector<ClusterUnit>{{0, 2}, {1}}));
}

TEST(ClusterUnits, AStandInIsShared) {
  EXPECT_EQ(units({{1, 2}, {3, 9}}, {{9, 1}}), (std::vector<ClusterUnit>{{0, 1}}));
}

TEST(ClusterUnits, TwoQuestionsWithOneKeeperBelongTogether) {
  EXPECT_EQ(units({{4, 8}, {5, 9}, {6, 7}}, {{8, 1}, {9, 1}}), (std::vector<ClusterUnit>{{0, 1}, {2}}));
}

TEST(ClusterUnits, ADeletionElsewhereConcernsNobody) {
  EXPECT_EQ(units({{1, 2}, {3, 4}}, {{9, 8}}), (std::vector<ClusterUnit>{{0}, {1}}));
}

TEST(ClusterUnits, HangTogetherInChains) {
  EXPECT_EQ(units({{1, 2}, {2, 3}, {3, 4}, {5, 6}}, {}), (std::vector<ClusterUnit>{{0, 1, 2}, {3}}));
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
