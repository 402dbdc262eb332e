#include "tests/reference/merging.h"

#include <algorithm>
#include <map>
#include <memory>

namespace qdedup::reference {
namespace {

using IdSet = std::shared_ptr<std::set<QuestionId>>;

}  // namespace

std::vector<miner::SeedList> canonical_lists(const std::vector<miner::SeedList>& lists) {
  std::map<std::vector<QuestionId>, double> top_scores;
  for (const miner::SeedList& list : lists) {
    const auto [entry, is_new] = top_scores.emplace(list.ids, list.top_score);
    entry->second = std::max(entry->second, list.top_score);
  }
  std::vector<miner::SeedList> distinct;
  distinct.reserve(top_scores.size());
  for (const auto& [ids, top_score] : top_scores) distinct.push_back({top_score, ids});
  std::stable_sort(distinct.begin(), distinct.end(),
                   [](const auto& a, const auto& b) { return a.top_score > b.top_score; });
  return distinct;
}

Merged merge(const std::vector<miner::SeedList>& lists, std::size_t max_cluster_size) {
  const std::vector<miner::SeedList> ordered = canonical_lists(lists);
  std::map<QuestionId, IdSet> cluster_of;
  for (const miner::SeedList& list : ordered) {
    for (const QuestionId id : list.ids)
      cluster_of[id] = std::make_shared<std::set<QuestionId>>(std::set{id});
  }

  Merged merged;
  for (const miner::SeedList& list : ordered) {
    for (const QuestionId member : list.ids) {
      const IdSet into = cluster_of[list.ids[0]];
      const IdSet from = cluster_of[member];
      if (into == from) continue;
      if (into->size() + from->size() > max_cluster_size) {
        ++merged.counts.refused_joins;
        continue;
      }
      ++merged.counts.joins;
      into->insert(from->begin(), from->end());
      for (const QuestionId id : *from) cluster_of[id] = into;
    }
  }

  std::set<IdSet> clusters;
  for (const auto& [id, cluster] : cluster_of) {
    if (!clusters.insert(cluster).second) continue;
    merged.clusters.push_back(*cluster);
    merged.counts.largest_cluster = std::max<std::uint64_t>(merged.counts.largest_cluster, cluster->size());
  }
  merged.counts.lists = lists.size();
  merged.counts.distinct_lists = ordered.size();
  merged.counts.ids = cluster_of.size();
  merged.counts.clusters = clusters.size();
  return merged;
}

}  // namespace qdedup::reference
