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

  // The ids of all lists, one list after another.
  [[nodiscard]] std::span<const QuestionId> all_ids() const { return ids_; }

 private:
  std::vector<double> top_scores_;
  std::vector<std::size_t> ends_;  // where list i ends in ids_
  std::vector<QuestionId> ids_;
};

}  // namespace qdedup::miner
