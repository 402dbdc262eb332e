#include "spark/bands.h"

#include <algorithm>
#include <utility>

#include "base/containers.h"
#include "miner/union_find.h"

namespace qdedup::spark {

std::vector<BandCluster> merge_band(std::vector<BandJoin> joins, std::size_t max_cluster_size) {
  std::ranges::sort(joins, {}, [](const BandJoin& join) { return std::pair(join.list, join.position); });
  std::vector<QuestionId> names;
  for (const BandJoin& join : joins) names.insert(names.end(), {join.a, join.b});
  sort_unique(names);
  const auto number_of = [&](QuestionId name) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(names, name) - names.begin());
  };
  std::vector<std::uint64_t> sizes(names.size());  // by find()
  for (const BandJoin& join : joins) {
    sizes[number_of(join.a)] = join.a_size;
    sizes[number_of(join.b)] = join.b_size;
  }
  miner::SizeCappedUnionFind together(names.size(), names.size() + 1);
  for (const BandJoin& join : joins) {
    const std::uint32_t a = together.find(number_of(join.a));
    const std::uint32_t b = together.find(number_of(join.b));
    if (a == b || sizes[a] + sizes[b] > max_cluster_size) continue;
    together.join(a, b);
    sizes[together.find(a)] = sizes[a] + sizes[b];
  }
  std::vector<QuestionId> first(names.size());  // the smallest name in each, by find()
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    QuestionId& smallest = first[together.find(i)];
    if (smallest == 0) smallest = names[i];
  }
  std::vector<BandCluster> grown;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const std::uint32_t root = together.find(i);
    if (together.set_size(root) > 1) grown.push_back({names[i], first[root], sizes[root]});
  }
  return grown;
}

}  // namespace qdedup::spark
