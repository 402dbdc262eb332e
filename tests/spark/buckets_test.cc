#include "spark/buckets.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "miner/clusters.h"

namespace qdedup::spark {
namespace {

class RandomBuckets : public testing::TestWithParam<unsigned> {};

TEST_P(RandomBuckets, HoldWhatDependsOnEachOtherAndAllOfItOnce) {
  std::mt19937 random(GetParam());
  const auto below = [&](std::size_t end) { return random() % end; };
  miner::SeedLists lists;
  for (int i = 0; i < 60; ++i) {
    const auto id = static_cast<QuestionId>(1 + below(300));
    const QuestionId ids[] = {id, id + 1 + static_cast<QuestionId>(below(20))};
    lists.append(0.9, ids);
  }
  const miner::Clusters merged = miner::merge(lists, {8});
  std::map<QuestionId, QuestionId> keepers;
  for (int i = 0; i < 30; ++i)
    keepers[static_cast<QuestionId>(200 + below(200))] = static_cast<QuestionId>(1 + below(100));
  std::vector<refine::Deletion> deletions;
  for (const auto& [question, keeper] : keepers) deletions.push_back({question, keeper});
  const engine::DeletionIndex open(deletions);
  const std::vector<std::vector<QuestionId>> reopened = {{3, 40}, {5, 250, 290}};
  const engine::ClusterList clusters(merged, reopened);

  std::map<std::size_t, std::set<std::size_t>> buckets_of;  // by cluster
  std::map<std::size_t, std::set<QuestionId>> ids_of;       // by bucket
  std::map<std::size_t, std::vector<QuestionId>> members_of;
  Buckets buckets(clusters, open, 1 + below(40));
  std::size_t count = 0;
  while (const auto members = buckets.next()) {
    for (const Member& member : *members) {
      EXPECT_TRUE(ids_of[count].insert(member.id).second || member.cluster != Member::in_no_cluster);
      if (member.cluster == Member::in_no_cluster) continue;
      buckets_of[static_cast<std::size_t>(member.cluster)].insert(count);
      members_of[static_cast<std::size_t>(member.cluster)].push_back(member.id);
    }
    ++count;
  }
  ASSERT_EQ(buckets_of.size(), clusters.size());
  for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
    EXPECT_EQ(buckets_of[cluster].size(), 1U);
    EXPECT_TRUE(std::ranges::equal(members_of[cluster], clusters.ids(cluster)));
  }
  for (const engine::ClusterComponent& component : engine::dependent_components(clusters, open)) {
    const std::size_t bucket = *buckets_of[component.front()].begin();
    for (const std::size_t cluster : component) EXPECT_EQ(*buckets_of[cluster].begin(), bucket);
    for (const QuestionId id : engine::dependent_component(component, clusters, open).ids)
      EXPECT_TRUE(ids_of[bucket].contains(id)) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBuckets, testing::Range(0U, 50U));

}  // namespace
}  // namespace qdedup::spark
