#pragma once

#include <cstdint>
#include <span>

#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "db/swept_questions.h"
#include "iteration/reconsidering.h"
#include "iteration/sweep_limits.h"
#include "iteration/sweep_plan.h"

namespace qdedup::iteration {

// Which questions a sweep compares.
struct SweepScope {
  // Of each question with a text, by id: only those with the same are compared. Empty: the sign fingerprints
  // that the bank has.
  std::span<const std::uint64_t> fingerprints = {};
  // Where it is noted what the passes find to be no duplicates, and what earlier sweeps found; null: nowhere.
  db::SweptQuestions* swept = nullptr;
  SweepLimits limits = {};
};

// Goes through the passes of a plan, which was made of the scope's fingerprints, and puts what they decide,
// and what is counted, into the draft. Takes what it needs of `past`.
Status sweep_into(db::IterationDraft& draft, const SweepPlan& plan, const SweepScope& scope,
                  Reconsidered& past, db::Bank& bank, const config::Settings& settings,
                  const Progress& progress);

}  // namespace qdedup::iteration
