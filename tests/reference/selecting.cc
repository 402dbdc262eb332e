#include "tests/reference/selecting.h"

#include <set>

namespace qdedup::reference {

std::optional<miner::SeedList> select(const std::vector<miner::ScoredId>& pairs,
                                      const miner::SelectionSettings& settings) {
  std::vector<miner::ScoredId> remaining;
  std::set<QuestionId> seen;
  for (const miner::ScoredId& pair : pairs) {
    if (pair.score < settings.min_score) continue;
    if (seen.insert(pair.id).second) remaining.push_back(pair);
  }
  if (remaining.size() < 2 || remaining[0].score < settings.min_top_score) return std::nullopt;
  miner::SeedList seed;
  seed.top_score = remaining[0].score;
  for (const miner::ScoredId& pair : remaining) seed.ids.push_back(pair.id);
  return seed;
}

}  // namespace qdedup::reference
