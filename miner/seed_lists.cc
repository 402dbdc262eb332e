#include "miner/seed_lists.h"

namespace qdedup::miner {
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
