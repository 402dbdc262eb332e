#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "finder/exact_index.h"
#include "iteration/cluster_units.h"
#include "iteration/reconsidering.h"
#include "iteration/sweep_limits.h"
#include "iteration/sweep_rows.h"
#include "refine/duplicate_test.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// What the work on a group may take. The result does not depend on it.
struct SweepMeans {
  unsigned threads = 1;
  std::size_t indexed_at_once = std::numeric_limits<std::size_t>::max();  // questions, at least 1
  std::size_t block = SweepLimits().block;
  std::size_t large_group = SweepLimits().large_group;
};

// The questions of one sign group that are kept, as its questions are taken by id, and where to look for
// duplicates among them. Questions that are swept are compared only with those that are not.
//
// Questions are looked up in blocks: on all threads among what was kept before the block, then one by one
// among what the block keeps. Where there is no room for an index of all that is kept (and, where some are
// swept, another of those that are not), the group is taken in parts: at the end of each, all questions
// behind it are looked up among what it kept, and its index is given up. What they find there takes 8 bytes
// for each pair that is still to come. The result depends on neither threads nor parts.
class SweptGroup final : public refine::KeptQuestions {
 public:
  // `participants` are numbers of `rows`, ascending; find() is called for each in this order, and keep() at
  // once behind it. `moved` is told now and then how many were taken, also while these are the same. `rows`
  // must outlive it; their `swept` becomes what this sweep finds.
  SweptGroup(SweepRows& rows, std::span<const std::uint32_t> participants,
             const refine::DuplicateSettings& settings, const SweepMeans& means,
             std::function<void(std::size_t taken)> moved);

  void keep(QuestionId id) override;
  std::optional<QuestionId> find(QuestionId id, const std::function<bool(QuestionId)>& allowed) override;
  std::vector<QuestionId> find_beyond(QuestionId id, QuestionId keeper,
                                      const std::function<bool(QuestionId)>& allowed) override;

 private:
  using Numbers = std::vector<std::uint32_t>;
  // Of a participant, by its place, and a duplicate of it.
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  [[nodiscard]] Numbers not_swept(std::span<const std::uint32_t> participants) const;
  [[nodiscard]] bool any_swept(std::span<const std::uint32_t> participants) const;
  [[nodiscard]] std::size_t end_of_part(bool fresh_apart) const;
  void begin_part();
  void end_part();
  void begin_block();
  void settle_block();
  void look_up(std::size_t begin, std::size_t end,
               const std::function<void(std::size_t place, Numbers found)>& take);
  [[nodiscard]] std::optional<std::uint32_t> first_found() const;
  [[nodiscard]] std::optional<std::uint32_t> first_here(std::uint32_t number);
  [[nodiscard]] std::vector<QuestionId> duplicates_of_last();

  SweepRows& rows_;
  std::span<const std::uint32_t> participants_;
  refine::DuplicateSettings settings_;
  SweepMeans means_;
  std::size_t block_size_;
  std::size_t part_end_ = 0;  // in participants: behind whole blocks, or all
  std::function<void(std::size_t)> moved_;
  std::optional<finder::ExactIndex> kept_before_;   // kept in this part, in blocks before this one
  std::optional<finder::ExactIndex> fresh_before_;  // those of them that were not swept, if any was
  std::optional<finder::ExactIndex> kept_here_;     // kept in this block
  Numbers kept_in_block_;                           // their numbers,
  Numbers fresh_in_block_;                          // and of those that were not swept
  std::vector<Pair> in_parts_;                      // duplicates kept by earlier parts, in order
  std::vector<Numbers> in_blocks_;  // those in this part before this block, by place in it, ascending
  std::size_t taken_ = 0;
  bool was_swept_ = false;  // of the question taken last
  bool found_any_ = false;
  finder::ExactIndex::Scratch scratch_;
};

// What is decided in one sign group.
struct GroupOutcome {
  std::vector<refine::Deletion> deletions;  // by question
  std::vector<refine::Deletion> repointed;  // by question
  std::vector<refine::Deletion> further;    // refine::KeeperChoice::further
  std::uint64_t held = 0;
};

// Chooses keepers among `group`, the numbers of all questions with the same signs, ascending. `open` are the
// open deletions, `rejected` what reviewers rejected. Changes `swept` of the group's rows, and no others.
GroupOutcome decide_group(SweepRows& rows, std::span<const std::uint32_t> group, const DeletionIndex& open,
                          const std::vector<RejectedPair>& rejected,
                          const refine::DuplicateSettings& settings, const SweepMeans& means,
                          const std::function<void(std::size_t taken)>& moved);

}  // namespace qdedup::iteration
