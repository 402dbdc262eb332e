#include "miner/seed_lists.h"

#include <algorithm>
#include <utility>

#include "miner/id_numbers.h"

namespace qdedup::miner {
namespace {

// Up to this many ids, comparing each with all before it is faster than a table.
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

void SeedLists::append(double top_score, std::span<const QuestionId> ids) {
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  ends_.push_back(ids_.size());
  top_scores_.push_back(top_score);
}

void SeedLists::append(const SeedLists& others) {
  const std::size_t offset = ids_.size();
  ids_.insert(ids_.end(), others.ids_.begin(), others.ids_.end());
  top_scores_.insert(top_scores_.end(), others.top_scores_.begin(), others.top_scores_.end());
  for (const std::size_t end : others.ends_) ends_.push_back(offset + end);
}

void SeedLists::clear() {
  top_scores_.clear();
  ends_.clear();
  ids_.clear();
}

std::span<const QuestionId> SeedLists::ids(std::size_t list) const {
  const std::size_t begin = list == 0 ? 0 : ends_[list - 1];
  return std::span(ids_).subspan(begin, ends_[list] - begin);
}

}  // namespace qdedup::miner
