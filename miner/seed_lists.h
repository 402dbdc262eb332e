#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/question_id.h"

namespace qdedup::miner {

// Many seed lists, one after the other in flat arrays. Each has one id at least, and a finite top score.
class SeedLists {
 public:
  void append(double top_score, std::span<const QuestionId> ids);
  void append(const SeedLists& others);
  void clear();

  [[nodiscard]] std::size_t size() const { return top_scores_.size(); }
  [[nodiscard]] bool empty() const { return top_scores_.empty(); }
  [[nodiscard]] double top_score(std::size_t list) const { return top_scores_[list]; }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t list) const;

 private:
  std::vector<double> top_scores_;
  std::vector<std::size_t> ends_;  // where list i ends in ids_
  std::vector<QuestionId> ids_;
};

// The numbers of the lists in the order in which they are merged: by top score, highest first, ties by their
// ids, compared number by number, smaller first. Of lists with the same ids only the one with the highest top
// score is named. Depends on the set of lists alone, not on the order in which they were appended. n log n in
// the number of lists; beside the answer 24 bytes a list.
std::vector<std::size_t> canonical_order(const SeedLists& lists);

}  // namespace qdedup::miner
