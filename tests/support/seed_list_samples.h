#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "miner/seed_lists.h"

namespace qdedup::support {

miner::SeedLists as_seed_lists(const std::vector<miner::SeedList>& lists);

// `count` lists of two to six distinct ids from 1 to max_id + 5, with few different top scores, so that ties,
// repeated lists and overlaps are common.
std::vector<miner::SeedList> random_seed_lists(std::mt19937_64& random, std::size_t count,
                                               std::size_t max_id);

}  // namespace qdedup::support
