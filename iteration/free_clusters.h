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

// What is left of clusters that nothing of the past concerns, when the questions that cannot be duplicates
// are left out: these decide nothing.
class FreeClusters {
 public:
  // None.
  FreeClusters() = default;

  // Looks at the clusters with numbers from `begin` to `end` - 1, without those in `left_out`. Without
  // `sketches` all questions stay.
  FreeClusters(const ClusterList& clusters, std::size_t begin, std::size_t end,
               const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
               const refine::DuplicateSettings& settings, unsigned threads, const Progress& progress);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t cluster) const;  // ascending
  [[nodiscard]] std::uint64_t missing() const { return missing_; }  // questions without text, left out

  [[nodiscard]] std::size_t questions() const { return ids_.size(); }
  [[nodiscard]] std::size_t questions(std::size_t cluster) const { return ids(cluster).size(); }

  // Calls take(id) for each question of a cluster, ascending.
  template <class Take>
  void for_each_candidate(std::size_t cluster, const Take& take) const {
    for (const QuestionId id : ids(cluster)) take(id);
  }

  // The work of a cluster, without texts.
  [[nodiscard]] UnitWork work(std::size_t cluster) const { return free_work(ids(cluster)); }

  void append(const FreeClusters& others);

 private:
  void add(const ClusterList& clusters, std::size_t begin, std::size_t end, const std::vector<bool>& left_out,
           const std::optional<SketchTable>& sketches, const refine::DuplicateSettings& settings);
  void add(std::span<const QuestionId> ids, std::span<const std::optional<QuestionSketch>> seen,
           const refine::DuplicateSettings& settings);

  std::vector<QuestionId> ids_;
  std::vector<std::size_t> ends_;  // where cluster i ends in ids_
  std::uint64_t missing_ = 0;
};

}  // namespace qdedup::iteration
