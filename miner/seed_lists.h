#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "miner/result_list.h"

namespace qdedup::miner {

struct SelectionSettings {
  double min_top_score = 0.5;
  double min_score = 0.3;
};

// The look-alikes of one search.
struct SeedList {
  double top_score = 0;         // the score of ids[0]
  std::vector<QuestionId> ids;  // distinct, best first
};

// Drops pairs below `min_score`, then repeated ids (the first stays). True if the list is selected: at least
// two ids remain and the first has at least `min_top_score`. `seed` is replaced, and unspecified after false.
// Linear in the number of pairs.
[[nodiscard]] bool select(std::span<const ScoredId> pairs, const SelectionSettings& settings, SeedList& seed);

// Many seed lists in flat arrays. Each has at least one id, and a finite top score.
class SeedLists {
 public:
  void append(double top_score, std::span<const QuestionId> ids);
  void append(const SeedLists& others);
  void clear();

  [[nodiscard]] std::size_t size() const { return top_scores_.size(); }
  [[nodiscard]] double top_score(std::size_t list) const { return top_scores_[list]; }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t list) const;

  // The ids of all lists, concatenated.
  [[nodiscard]] std::span<const QuestionId> all_ids() const { return ids_; }

 private:
  std::vector<double> top_scores_;
  std::vector<std::size_t> ends_;  // where list i ends in ids_
  std::vector<QuestionId> ids_;
};

// Passes all lists to `take`, some at a time; the same ones in the same order each time it is called.
using ListSource = std::function<Status(const std::function<void(const SeedLists&)>& take)>;

}  // namespace qdedup::miner
