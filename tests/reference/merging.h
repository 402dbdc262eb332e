#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "miner/clusters.h"
#include "miner/seed_lists.h"

namespace qdedup::reference {

// The distinct lists in canonical order.
std::vector<miner::SeedList> canonical_lists(const std::vector<miner::SeedList>& lists);

struct Merged {
  std::vector<std::set<QuestionId>> clusters;  // by their smallest id
  miner::MergeCounts counts;
};

// The slow twin of miner::merge: sets of ids, and every member of a set moves when it is joined.
Merged merge(const std::vector<miner::SeedList>& lists, std::size_t max_cluster_size);

}  // namespace qdedup::reference
