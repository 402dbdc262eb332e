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

// Comparing this many pairs of sketches costs about as much as reading a text.
constexpr std::uint64_t usual_looks_per_question = 2000;

// Finds out which of some things have a partner among them, without comparing all pairs: once two things have
// partners, it does not matter whether they are each other's.
class Partners {
 public:
  // Whether each thing has a partner according to partners(a, b), which is symmetric and called at most once
  // per pair. Quadratic, but linear if all things of a kind are partners and there are few kinds. Things
  // still undecided after `max_looks` and at most 2 * `count` more calls count as having a partner. The
  // result is valid until the next call.
  template <class ArePartners>
  const std::vector<bool>& find(std::size_t count, std::uint64_t max_looks, const ArePartners& partners) {
    has_one_.assign(count, false);
    left_.resize(count);
    for (std::size_t thing = 0; thing < count; ++thing) left_[thing] = thing;
    std::uint64_t looks = 0;
    const auto look = [&](std::size_t a, std::size_t b) {
      ++looks;
      return partners(a, b);
    };
    for (std::size_t thing = 0; thing < count && looks < max_looks; ++thing) seek(thing, look);
    for (const std::size_t thing : left_) has_one_[thing] = true;
    return has_one_;
  }

 private:
  // Compares `thing`, which was compared with those before it, with all remaining things after it; then, if
  // none of them is its partner, with the other things after it.
  template <class Look>
  void seek(std::size_t thing, const Look& look) {
    bool found = has_one_[thing];
    std::erase_if(left_, [&](std::size_t other) {
      if (other == thing) return true;
      if (!look(thing, other)) return false;
      has_one_[other] = true;
      found = true;
      return true;
    });
    for (std::size_t other = thing + 1; !found && other < has_one_.size(); ++other)
      found = has_one_[other] && look(thing, other);
    has_one_[thing] = found;
  }

  std::vector<bool> has_one_;
  std::vector<std::size_t> left_;  // without a partner so far, and not yet sought; ascending
};

// For each question of a cluster: 0 if it cannot be a duplicate of another one, otherwise a number shared by
// the possible duplicates with the same signs. `sketches` has none for a question without text. Quadratic in
// the questions with the same signs, a few nanoseconds per pair, up to `looks_per_question` for each; the
// others then count as possible duplicates.
std::vector<std::uint32_t> candidate_groups(std::span<const std::optional<QuestionSketch>> sketches,
                                            const refine::DuplicateSettings& settings,
                                            std::uint64_t looks_per_question = usual_looks_per_question);

// Some components of dependent clusters, and which of their questions may be duplicates. Takes 9 bytes per
// question.
class DependentClusters {
 public:
  // Takes components from the front of `components` up to `questions_at_once` questions, but at least one
  // component. The first three arguments must outlive the object.
  DependentClusters(const engine::ClusterList& clusters, const engine::DeletionIndex& open,
                    std::span<const engine::ClusterComponent> components, std::size_t questions_at_once);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }  // components
  [[nodiscard]] std::size_t questions(std::size_t component) const { return ids(component).size(); }
  [[nodiscard]] std::span<const QuestionId> all_ids() const { return ids_; }

  // Finds out which questions have text and may be duplicates; until then, all of them may be. `sketches`
  // must contain all_ids().
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
  std::vector<QuestionId> ids_;    // those of one component after another
  std::vector<std::size_t> ends_;  // where component i ends in ids_
  std::vector<Seen> seen_;         // by position in ids_
};

// Independent clusters without the questions that cannot be duplicates: for each, the groups with the same
// signs.
class IndependentClusters {
 public:
  // No clusters.
  IndependentClusters() = default;

  // Takes the clusters from `begin` to `end` - 1, except those in `left_out`. Without `sketches` all
  // questions stay.
  IndependentClusters(const engine::ClusterList& clusters, std::size_t begin, std::size_t end,
                      const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
                      const refine::DuplicateSettings& settings, unsigned threads, const Progress& progress);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  // Questions left out because they have no text.
  [[nodiscard]] std::uint64_t missing() const { return missing_; }
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
