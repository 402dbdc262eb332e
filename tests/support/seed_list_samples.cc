#include "tests/support/seed_list_samples.h"

#include <algorithm>

namespace qdedup::support {

miner::SeedLists as_seed_lists(const std::vector<miner::SeedList>& lists) {
  miner::SeedLists flat;
  for (const miner::SeedList& list : lists) flat.append(list.top_score, list.ids);
  return flat;
}

std::vector<miner::SeedList> random_seed_lists(std::mt19937_64& random, std::size_t count,
                                               std::size_t max_id) {
  std::vector<miner::SeedList> lists(count);
  for (miner::SeedList& list : lists) {
    list.top_score = static_cast<double>(random() % 4) / 4;
    const std::size_t size = 2 + random() % 5;
    while (list.ids.size() < size) {
      const auto id = static_cast<QuestionId>(1 + random() % (max_id + 5));
      if (std::ranges::find(list.ids, id) == list.ids.end()) list.ids.push_back(id);
    }
  }
  return lists;
}

}  // namespace qdedup::support
