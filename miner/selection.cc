#include "miner/selection.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "miner/id_index.h"

namespace qdedup::miner {
namespace {

// Up to here comparing each id with all before it is faster than a table.
constexpr std::size_t max_scanned_ids = 32;

void drop_repeated(std::vector<QuestionId>& ids) {
  if (ids.size() > max_scanned_ids) {
    IdIndex seen;
    for (const QuestionId id : ids) seen.insert(id);
    ids = std::move(seen).ids();
    return;
  }
  auto kept = ids.begin();
  for (const QuestionId id : ids) {
    if (std::find(ids.begin(), kept, id) == kept) *kept++ = id;
  }
  ids.erase(kept, ids.end());
}

}  // namespace

bool select(std::span<const ScoredId> pairs, const SelectionSettings& settings, SeedList& seed) {
  const auto remains = [&](const ScoredId& pair) { return pair.score >= settings.min_score; };
  const auto first = std::find_if(pairs.begin(), pairs.end(), remains);
  if (first == pairs.end() || first->score < settings.min_top_score) return false;

  seed.top_score = first->score;
  seed.ids.clear();
  for (auto pair = first; pair != pairs.end(); ++pair) {
    if (remains(*pair)) seed.ids.push_back(pair->id);
  }
  drop_repeated(seed.ids);
  return seed.ids.size() >= 2;
}

}  // namespace qdedup::miner
