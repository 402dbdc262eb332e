#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/question_sketch.h"
#include "engine/components.h"
#include "iteration/sketch_table.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// To look at so many pairs of sketches costs about as much as to read a text.
constexpr std::uint64_t usual_looks_per_question = 2000;

// By question of a cluster: 0 where it cannot be a duplicate of another one, else a number that those with
// the same signs have in common. `sketches` has none for a question without text. Quadratic in the questions
// with the same signs, a few nanoseconds a pair, where that is at most `looks_per_question` for each of them;
// where it is more, those count as possible duplicates for which no more was found out.
std::vector<std::uint32_t> candidate_groups(std::span<const std::optional<QuestionSketch>> sketches,
                                            const refine::DuplicateSettings& settings,
                                            std::uint64_t looks_per_question = usual_looks_per_question);

// Some components of dependent clusters, and which of their questions may be duplicates. 9 bytes for each
// question.
class DependentClusters {
 public:
  // Of `components`, the first so many that have `questions_at_once` questions, one at least. All three,
  // `components` included, are to outlive the object.
  DependentClusters(const engine::ClusterList& clusters, const engine::DeletionIndex& open,
                    std::span<const engine::ClusterComponent> components, std::size_t questions_at_once);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }  // components
  [[nodiscard]] std::size_t questions(std::size_t component) const { return ids(component).size(); }
  [[nodiscard]] std::span<const QuestionId> all_ids() const { return ids_; }

  // Finds out which questions have text, and may be duplicates; until then all may be. `sketches` has
  // all_ids().
  void look_at(const SketchTable& sketches, const refine::DuplicateSettings& settings, unsigned threads,
               const Progress& progress);

  // Calls take(id) for each question of a component that may be a duplicate, ascending.
  template <class Take>
  void for_each_candidate(std::size_t component, const Take& take) const {
    for (std::size_t place = begin(component); place < ends_[component]; ++place) {
      if (seen_[place] == Seen::candidate) take(ids_[place]);
    }
  }

  // Without texts.
  [[nodiscard]] engine::Component component(std::size_t number) const;

 private:
  enum class Seen : std::uint8_t { candidate, no_candidate, no_text };

  [[nodiscard]] std::size_t begin(std::size_t component) const {
    return component == 0 ? 0 : ends_[component - 1];
  }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t component) const {
    return std::span(ids_).subspan(begin(component), ends_[component] - begin(component));
  }

  const engine::ClusterList& clusters_;
  const engine::DeletionIndex& open_;
  std::span<const engine::ClusterComponent> components_;
  std::vector<QuestionId> ids_;    // of one component after another
  std::vector<std::size_t> ends_;  // where component i ends in ids_
  std::vector<Seen> seen_;         // by place in ids_
};

// What is left of independent clusters without the questions that cannot be duplicates, which decide nothing:
// of each, those with the same signs.
class IndependentClusters {
 public:
  // None.
  IndependentClusters() = default;

  // Looks at the clusters with numbers from `begin` to `end` - 1, without those in `left_out`. Without
  // `sketches` all questions stay.
  IndependentClusters(const engine::ClusterList& clusters, std::size_t begin, std::size_t end,
                      const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
                      const refine::DuplicateSettings& settings, unsigned threads, const Progress& progress);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::uint64_t missing() const { return missing_; }  // questions without text, left out
  [[nodiscard]] std::size_t questions() const { return ids_.size(); }
  [[nodiscard]] std::size_t questions(std::size_t cluster) const { return ids(cluster).size(); }

  // Calls take(id) for each question of a cluster, ascending.
  template <class Take>
  void for_each_candidate(std::size_t cluster, const Take& take) const {
    for (const QuestionId id : ids(cluster)) take(id);
  }

  // Without texts.
  [[nodiscard]] engine::Component component(std::size_t cluster) const {
    return engine::independent_component(ids(cluster));
  }

  void append(const IndependentClusters& others);

 private:
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t cluster) const;  // ascending
  void add(const engine::ClusterList& clusters, std::size_t begin, std::size_t end,
           const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
           const refine::DuplicateSettings& settings);
  void add(std::span<const QuestionId> ids, std::span<const std::optional<QuestionSketch>> seen,
           const refine::DuplicateSettings& settings);

  std::vector<QuestionId> ids_;
  std::vector<std::size_t> ends_;  // where cluster i ends in ids_
  std::uint64_t missing_ = 0;
};

}  // namespace qdedup::iteration
