#include "iteration/near_sweep.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "db/deletions.h"
#include "import/fingerprints.h"
#include "iteration/draft.h"
#include "iteration/lost_pairs.h"
#include "iteration/near_groups.h"
#include "iteration/reconsidering.h"
#include "iteration/sweep_plan.h"
#include "iteration/sweeping.h"

namespace qdedup::iteration {
namespace {

std::string with_finder(const std::string& settings, const std::string& finder) {
  auto json = nlohmann::ordered_json::parse(settings);
  json["finder"] = finder;
  return json.dump();
}

}  // namespace

Result<NearSweepReport> run_near_sweep(db::Store& reading, db::StoreWriter& writing, db::Bank& bank,
                                       const config::Settings& settings, const Clock& clock,
                                       const Progress& progress, std::unique_ptr<finder::TextScheme> scheme,
                                       const SweepLimits& limits) {
  db::IterationDraft draft = begin_draft("sweep", settings, clock);
  draft.record.settings = with_finder(draft.record.settings, scheme->name());
  QDEDUP_TRY(check_complete(bank));
  QDEDUP_TRY(import::bring_fingerprints_up_to_date(bank, progress));
  db::Deletions deletions(reading);
  Result<Reconsidered> past = reconsider(deletions, bank);
  if (!past.ok()) return std::move(past).error();
  QDEDUP_TRY(find_lost_pairs(reading, bank, past->open, draft.lost));

  const Result<NearGroups> near =
      near_groups(bank, std::move(scheme), *past,
                  {.threads = settings.resources.threads, .slice = limits.near_slice}, progress);
  if (!near.ok()) return near.error();
  const SweepPlan plan = plan_sweep(near->fingerprints, limits.questions_per_pass);
  QDEDUP_TRY(sweep_into(draft, plan, {.fingerprints = near->fingerprints, .limits = limits}, *past, bank,
                        settings, progress));
  Result<std::optional<db::IterationRecord>> iteration =
      commit_sweep(std::move(draft), writing, bank, settings, clock);
  if (!iteration.ok()) return std::move(iteration).error();
  return NearSweepReport{*std::move(iteration), near->fingerprints.size(), near->candidates};
}

}  // namespace qdedup::iteration
