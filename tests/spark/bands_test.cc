#include "spark/bands.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/reference/merging.h"

namespace qdedup::spark {
namespace {

class RandomBands : public testing::TestWithParam<unsigned> {};

TEST_P(RandomBands, MergeAsOne) {
  std::mt19937 random(GetParam());
  const auto below = [&](std::size_t end) { return random() % end; };
  const std::size_t cap = 2 + below(12);
  std::vector<miner::SeedList> lists;
  for (std::size_t i = 0; i < 20 + below(60); ++i) {
    miner::SeedList list{0.5 + 0.1 * static_cast<double>(below(4)), {}};
    std::set<QuestionId> ids;
    while (ids.size() < 2 + below(4)) ids.insert(static_cast<QuestionId>(1 + below(120)));
    list.ids.assign(ids.begin(), ids.end());
    std::ranges::shuffle(list.ids, random);
    lists.push_back(list);
  }
  const reference::Merged expected = reference::merge(lists, cap);

  std::map<QuestionId, BandCluster> cluster_of;  // by id
  const std::vector<miner::SeedList> ordered = reference::canonical_lists(lists);
  for (std::size_t begin = 0; begin < ordered.size();) {
    const std::size_t end = std::min(ordered.size(), begin + 1 + below(20));
    std::vector<BandJoin> joins;
    for (std::size_t i = begin; i < end; ++i) {
      const auto now = [&](QuestionId id) {
        return cluster_of.try_emplace(id, BandCluster{id, id, 1}).first->second;
      };
      for (std::size_t j = 1; j < ordered[i].ids.size(); ++j) {
        const BandCluster a = now(ordered[i].ids[0]);
        const BandCluster b = now(ordered[i].ids[j]);
        if (a.is != b.is) joins.push_back({i, j, a.is, b.is, a.size, b.size});
      }
    }
    std::ranges::shuffle(joins, random);
    std::map<QuestionId, BandCluster> grown;
    for (const BandCluster& cluster : merge_band(joins, cap)) grown[cluster.was] = cluster;
    for (auto& [id, cluster] : cluster_of) {
      const auto found = grown.find(cluster.is);
      if (found != grown.end()) cluster = {id, found->second.is, found->second.size};
    }
    begin = end;
  }

  std::map<QuestionId, std::set<QuestionId>> sets;
  for (const auto& [id, cluster] : cluster_of) sets[cluster.is].insert(id);
  std::set<std::set<QuestionId>> clusters;
  for (const auto& [name, ids] : sets) {
    clusters.insert(ids);
    EXPECT_EQ(cluster_of[name].size, ids.size());
  }
  EXPECT_EQ(clusters, std::set(expected.clusters.begin(), expected.clusters.end()));
  std::uint64_t refused = 0;
  for (const miner::SeedList& list : ordered) {
    for (const QuestionId id : list.ids) refused += cluster_of[id].is != cluster_of[list.ids[0]].is ? 1 : 0;
  }
  EXPECT_EQ(refused, expected.counts.refused_joins);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBands, testing::Range(0U, 60U));

}  // namespace
}  // namespace qdedup::spark
