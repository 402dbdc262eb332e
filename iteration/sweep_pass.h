#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/swept_questions.h"
#include "engine/sign_groups.h"

namespace qdedup::iteration {

// Buckets (db::SweptQuestions) that are swept together, and those of their fingerprints that several
// questions share.
struct PlannedPass {
  std::size_t first_bucket;
  std::size_t last_bucket;                // one after the last
  std::span<const std::uint64_t> shared;  // ascending
  std::size_t questions;                  // how many share one
};

// Divides a sweep of the whole bank into passes that fit into memory.
struct SweepPlan {
  std::vector<std::uint64_t> shared;  // fingerprints of several questions, ascending
  std::vector<PlannedPass> passes;
  std::uint64_t questions = 0;                         // in the bank, with a text
  std::uint64_t comparable = 0;                        // those that share their fingerprint
  std::map<std::uint64_t, std::uint64_t> group_sizes;  // number of groups by size, from 2 on
};

// A pass has at most about `questions_per_pass` questions, or those of a single bucket. Reads the bank once;
// takes eight bytes of memory per question.
Result<SweepPlan> plan_sweep(db::Bank& bank, const refine::DuplicateSettings& settings,
                             std::size_t questions_per_pass);

// The same for questions with these fingerprints.
SweepPlan plan_sweep(std::vector<std::uint64_t> fingerprints, std::size_t questions_per_pass);

// Reads the pass from the bank. `fingerprints` are those it was planned with, for each question with a text,
// by id; empty for those of the signs that the settings compare. `swept` are those of its buckets, by id.
// `moved` is called now and then with how many questions were read.
Result<engine::SignGroups> load_pass(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
                                     const std::vector<db::SweptQuestion>& swept, db::Bank& bank,
                                     const refine::DuplicateSettings& settings, unsigned threads,
                                     const std::function<void(std::size_t questions)>& moved);

}  // namespace qdedup::iteration
