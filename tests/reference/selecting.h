#pragma once

#include <optional>
#include <vector>

#include "miner/result_list.h"
#include "miner/seed_lists.h"

namespace qdedup::reference {

// The slow twin of miner::select, word by word as the rules have it.
std::optional<miner::SeedList> select(const std::vector<miner::ScoredId>& pairs,
                                      const miner::SelectionSettings& settings);

}  // namespace qdedup::reference
