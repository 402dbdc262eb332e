#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "iteration/cluster_units.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// A question of the bank as far as a unit needs it.
struct UnitQuestion {
  bool has_text = true;      // in the bank, as long as nothing else is known
  bool is_candidate = true;  // may be a duplicate of another one of the unit, so the text is needed
  std::string_view text;
  std::optional<std::string_view> answer;
};

// What is to be decided together.
struct UnitWork {
  std::vector<std::vector<QuestionId>> clusters;
  std::vector<refine::Deletion> open;   // that concern the clusters, by question
  std::vector<QuestionId> ids;          // all that are concerned, ascending
  std::vector<UnitQuestion> questions;  // by position in `ids`

  // The position of one of `ids`.
  [[nodiscard]] std::size_t position(QuestionId id) const;
};

// The work of a cluster that nothing of the past concerns. `ids` ascend; all are candidates.
UnitWork free_work(std::span<const QuestionId> ids);

// The work of a unit of concerned_units(); all questions are candidates.
UnitWork concerned_work(const ClusterUnit& unit, const ClusterList& clusters, const DeletionIndex& open);

}  // namespace qdedup::iteration
