#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/swept_questions.h"
#include "iteration/sweep_group.h"
#include "iteration/sweep_plan.h"
#include "iteration/sweep_rows.h"

namespace qdedup::iteration {

// The questions of one pass, in groups with equal signs: equal in full, not by fingerprint alone.
struct SweepPass {
  SweepRows questions;
  std::vector<std::uint32_t> grouped;       // all numbers, group by group, ascending in each
  std::vector<std::uint32_t> group_begins;  // and one more: the end of the last

  [[nodiscard]] std::size_t groups() const { return group_begins.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> group(std::size_t i) const {
    return std::span(grouped).subspan(group_begins[i], group_begins[i + 1] - group_begins[i]);
  }
};

// Reads the pass from the bank. `fingerprints` are those that the pass was planned by, of each question with
// a text, by id; where they are empty, the sign fingerprints of the bank were it. `swept` are those of its
// buckets, by id. `moved` is told now and then how many questions were read.
Result<SweepPass> load_pass(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
                            const std::vector<db::SweptQuestion>& swept, db::Bank& bank, unsigned threads,
                            const std::function<void(std::size_t questions)>& moved);

// Decides all groups of the pass: large ones one after the other, each on all threads, small ones side by
// side. `moved` is told how many questions were decided.
GroupOutcome decide_pass(SweepPass& pass, const DeletionIndex& open,
                         const std::vector<RejectedPair>& rejected, const refine::DuplicateSettings& settings,
                         const SweepMeans& means, const std::function<void(std::size_t questions)>& moved);

}  // namespace qdedup::iteration
