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

// Buckets (db::SweptQuestions) that are swept together, and the fingerprints in them that more than one
// question has.
struct PlannedPass {
  std::size_t first_bucket;
  std::size_t last_bucket;                // after the last one
  std::span<const std::uint64_t> shared;  // ascending
  std::size_t questions;                  // that have them
};

// Cuts a sweep of the whole bank into passes, each of which is small enough to be held in memory.
struct SweepPlan {
  std::vector<std::uint64_t> shared;  // fingerprints of more than one question, ascending
  std::vector<PlannedPass> passes;
  std::uint64_t questions = 0;                         // in the bank, with a text
  std::uint64_t comparable = 0;                        // those that share their fingerprint
  std::map<std::uint64_t, std::uint64_t> group_sizes;  // size -> groups of that size, from 2 on
};

// A pass has about `questions_per_pass` questions at most, or what one bucket has. Reads the bank once; eight
// bytes of memory for each question.
Result<SweepPlan> plan_sweep(db::Bank& bank, std::size_t questions_per_pass);

// The same for questions that have these fingerprints.
SweepPlan plan_sweep(std::vector<std::uint64_t> fingerprints, std::size_t questions_per_pass);

// Reads the pass from the bank. `fingerprints` are those that it was planned by, of each question with a
// text, by id; empty for the sign fingerprints of the bank. `swept` are those of its buckets, by id. `moved`
// is called now and then with how many questions were read.
Result<engine::SignGroups> load_pass(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
                                     const std::vector<db::SweptQuestion>& swept, db::Bank& bank,
                                     unsigned threads,
                                     const std::function<void(std::size_t questions)>& moved);

}  // namespace qdedup::iteration
