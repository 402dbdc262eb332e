#pragma once

#include <span>
#include <vector>

#include "base/question_id.h"
#include "miner/result_list.h"

namespace qdedup::miner {

struct SelectionSettings {
  double min_top_score = 0.5;
  double min_score = 0.3;
};

// A list of look-alikes taken from one search: the first id names the seed cluster, the others are its
// members.
struct SeedList {
  double top_score = 0;         // the score of ids[0]
  std::vector<QuestionId> ids;  // distinct, best first
};

// Drops pairs below `min_score`, then repeated ids (the first stays). True when the list is selected: two ids
// remain and the first has `min_top_score`. `seed` is replaced, and unspecified when the answer is false.
// Linear in the number of pairs, whatever their number.
[[nodiscard]] bool select(std::span<const ScoredId> pairs, const SelectionSettings& settings, SeedList& seed);

}  // namespace qdedup::miner
