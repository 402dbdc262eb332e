#include "iteration/sweep.h"

#include <string>
#include <utility>

#include "db/deletions.h"
#include "db/swept_questions.h"
#include "import/fingerprints.h"
#include "iteration/draft.h"
#include "iteration/lost_pairs.h"
#include "iteration/reconsidering.h"
#include "iteration/sweep_plan.h"
#include "iteration/sweeping.h"
#include "refine/sign_rules.h"

namespace qdedup::iteration {
namespace {

// "in parts": a version that did not know parts of a bucket (db/swept_questions.h) would renew the first and
// leave the others.
std::string rules_of(const refine::DuplicateSettings& settings) {
  return refine::sign_rules_version() + ", " + std::to_string(settings.min_similarity) + " percent by " +
         std::string(name(settings.similarity)) + ", in parts";
}

}  // namespace

Result<std::optional<db::IterationRecord>> run_sweep(db::Store& reading, db::StoreWriter& writing,
                                                     db::Bank& bank, const config::Settings& settings,
                                                     const Clock& clock, const Progress& progress,
                                                     const SweepLimits& limits) {
  db::IterationDraft draft = begin_draft("sweep", settings, clock);
  QDEDUP_TRY(check_complete(bank));
  QDEDUP_TRY(import::bring_fingerprints_up_to_date(bank, progress));
  db::Deletions deletions(reading);
  Result<Reconsidered> past = reconsider(deletions, bank);
  if (!past.ok()) return std::move(past).error();
  QDEDUP_TRY(find_lost_pairs(reading, bank, past->open, draft.lost));
  progress("sweep", 0, 0, "questions");
  const Result<SweepPlan> plan = plan_sweep(bank, limits.questions_per_pass);
  if (!plan.ok()) return plan.error();
  db::SweptQuestions swept(bank);
  QDEDUP_TRY(swept.begin(rules_of(settings.refine)));
  QDEDUP_TRY(sweep_into(draft, *plan, {.swept = &swept, .limits = limits}, *past, bank, settings, progress));
  return commit_sweep(std::move(draft), writing, bank, settings, clock);
}

}  // namespace qdedup::iteration
