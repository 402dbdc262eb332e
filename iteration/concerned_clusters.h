#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "iteration/cluster_units.h"
#include "iteration/sketch_table.h"
#include "iteration/unit_work.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// Some units of concerned_units(), and which of their questions may be duplicates. 9 bytes for each question.
class ConcernedClusters {
 public:
  // Of `units`, the first so many that have `questions_at_once` questions, one at least. All three, `units`
  // included, are to outlive the object.
  ConcernedClusters(const ClusterList& clusters, const DeletionIndex& open,
                    std::span<const ClusterUnit> units, std::size_t questions_at_once);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }  // units
  [[nodiscard]] std::size_t questions(std::size_t unit) const { return ids(unit).size(); }
  [[nodiscard]] std::span<const QuestionId> all_ids() const { return ids_; }

  // Tells which questions have text, and may be duplicates; until then all may be. `sketches` has all_ids().
  void look_at(const SketchTable& sketches, const refine::DuplicateSettings& settings, unsigned threads,
               const Progress& progress);

  // Calls take(id) for each question of a unit that may be a duplicate, ascending.
  template <class Take>
  void for_each_candidate(std::size_t unit, const Take& take) const {
    for (std::size_t place = begin(unit); place < ends_[unit]; ++place) {
      if (seen_[place] == Seen::candidate) take(ids_[place]);
    }
  }

  // The work of a unit, without texts.
  [[nodiscard]] UnitWork work(std::size_t unit) const;

 private:
  enum class Seen : std::uint8_t { candidate, no_candidate, no_text };

  [[nodiscard]] std::size_t begin(std::size_t unit) const { return unit == 0 ? 0 : ends_[unit - 1]; }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t unit) const {
    return std::span(ids_).subspan(begin(unit), ends_[unit] - begin(unit));
  }

  const ClusterList& clusters_;
  const DeletionIndex& open_;
  std::span<const ClusterUnit> units_;
  std::vector<QuestionId> ids_;    // of one unit after another
  std::vector<std::size_t> ends_;  // where unit i ends in ids_
  std::vector<Seen> seen_;         // by place in ids_
};

}  // namespace qdedup::iteration
