#include "iteration/sweeping.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "finder/exact_index.h"
#include "import/question_characters.h"
#include "iteration/described_deletions.h"
#include "iteration/parallel.h"
#include "iteration/sweep_pass.h"

namespace qdedup::iteration {
namespace {

// Goes through the passes of a sweep.
class Sweep {
 public:
  Sweep(db::Bank& bank, const config::Settings& settings, const Reconsidered& past, const SweepPlan& plan,
        const SweepScope& scope, const Progress& progress)
      : bank_(bank),
        scope_(scope),
        settings_(settings),
        past_(past),
        open_(past.open),
        plan_(plan),
        progress_(progress) {}

  Status run() {
    for (const PlannedPass& pass : plan_.passes) QDEDUP_TRY(sweep(pass));
    std::ranges::sort(outcome_.deletions, {}, &refine::Deletion::question);
    std::ranges::sort(outcome_.repointed, {}, &refine::Deletion::question);
    std::ranges::stable_sort(outcome_.further, {}, &refine::Deletion::question);
    return {};
  }

  [[nodiscard]] const GroupOutcome& outcome() const { return outcome_; }

 private:
  Status sweep(const PlannedPass& planned) {
    const Result<std::vector<db::SweptQuestion>> swept = swept_before(planned);
    if (!swept.ok()) return swept.error();
    Result<SweepPass> pass = load_pass(planned, scope_.fingerprints, *swept, bank_,
                                       settings_.resources.threads, [this](std::size_t) { tell(0); });
    if (!pass.ok()) return std::move(pass).error();
    const GroupOutcome outcome =
        decide_pass(*pass, open_, past_.rejected, settings_.refine, means_for(pass->questions),
                    [this](std::size_t questions) { tell(questions); });
    outcome_.deletions.insert(outcome_.deletions.end(), outcome.deletions.begin(), outcome.deletions.end());
    outcome_.repointed.insert(outcome_.repointed.end(), outcome.repointed.begin(), outcome.repointed.end());
    outcome_.further.insert(outcome_.further.end(), outcome.further.begin(), outcome.further.end());
    outcome_.held += outcome.held;
    done_ += pass->questions.rows.size();
    return note(planned, *swept, pass->questions.rows);
  }

  // The index gets what the questions leave of the memory, and a quarter at least.
  [[nodiscard]] SweepMeans means_for(const SweepRows& questions) const {
    const SweepLimits& limits = scope_.limits;
    SweepMeans means{.threads = thread_count(settings_.resources.threads),
                     .indexed_at_once = limits.indexed_at_once,
                     .block = limits.block,
                     .large_group = limits.large_group};
    if (limits.indexed_at_once > 0) return means;
    const std::uint64_t memory = settings_.resources.memory_bytes;
    const std::uint64_t left = memory - std::min(memory, questions.bytes() + 8 * plan_.shared.size());
    means.indexed_at_once = std::max<std::uint64_t>(
        1, std::max(left, memory / 4) /
               finder::ExactIndex::bytes_each(questions.hans.average_length(), settings_.refine));
    return means;
  }

  Result<std::vector<db::SweptQuestion>> swept_before(const PlannedPass& planned) {
    if (scope_.swept == nullptr) return std::vector<db::SweptQuestion>();
    return scope_.swept->in(planned.first_bucket, planned.last_bucket);
  }

  // Notes what the pass found to be no duplicates.
  Status note(const PlannedPass& planned, const std::vector<db::SweptQuestion>& before,
              const std::vector<SweepRow>& rows) {
    if (scope_.swept == nullptr) return {};
    std::vector<std::vector<db::SweptQuestion>> by_bucket(planned.last_bucket - planned.first_bucket);
    std::vector<db::SweptQuestion> now;
    for (const SweepRow& row : rows) {
      if (!row.swept) continue;
      now.push_back({row.id, row.text_hash});
      by_bucket[row.bucket - planned.first_bucket].push_back(now.back());
    }
    return now == before ? Status() : scope_.swept->replace(planned.first_bucket, by_bucket);
  }

  void tell(std::size_t questions) const {
    progress_("sweep", done_ + questions, plan_.comparable, "questions");
  }

  db::Bank& bank_;
  const SweepScope& scope_;
  const config::Settings& settings_;
  const Reconsidered& past_;
  DeletionIndex open_;
  const SweepPlan& plan_;
  const Progress& progress_;
  GroupOutcome outcome_;
  std::uint64_t done_ = 0;
};

void count(const SweepPlan& plan, db::IterationRecord& record) {
  record.counts.ids = plan.questions;
  record.cluster_sizes = plan.group_sizes;
  for (const auto& [size, groups] : plan.group_sizes) record.counts.clusters += groups;
  if (!plan.group_sizes.empty()) record.counts.largest_cluster = plan.group_sizes.rbegin()->first;
}

Status describe(const GroupOutcome& outcome, db::Bank& bank, const config::Settings& settings,
                db::IterationDraft& draft) {
  const Result<db::CharacterSums> sums = bank.character_sums();
  if (!sums.ok()) return sums.error();
  const refine::CharacterCounts characters = import::character_counts(*sums);
  const auto described = [&](const std::vector<refine::Deletion>& deletions) {
    return described_deletions(deletions, bank, characters, settings.refine, settings.resources.threads);
  };
  Result<std::vector<db::NewDeletion>> deletions = described(outcome.deletions);
  if (!deletions.ok()) return std::move(deletions).error();
  Result<std::vector<db::NewDeletion>> repointed = described(outcome.repointed);
  if (!repointed.ok()) return std::move(repointed).error();
  Result<std::vector<db::NewDeletion>> further = described(outcome.further);
  if (!further.ok()) return std::move(further).error();
  draft.deletions = *std::move(deletions);
  draft.further = *std::move(further);
  draft.repointed = *std::move(repointed);
  draft.record.counts.deletions = draft.deletions.size();
  draft.record.counts.repointed = draft.repointed.size();
  draft.record.counts.held = outcome.held;
  return {};
}

}  // namespace

Status sweep_into(db::IterationDraft& draft, const SweepPlan& plan, const SweepScope& scope,
                  Reconsidered& past, db::Bank& bank, const config::Settings& settings,
                  const Progress& progress) {
  Sweep sweep(bank, settings, past, plan, scope, progress);
  QDEDUP_TRY(sweep.run());
  QDEDUP_TRY(describe(sweep.outcome(), bank, settings, draft));
  count(plan, draft.record);
  draft.record.counts.withdrawn = past.withdrawn.size();
  draft.last_reopened_id = past.last_reopened_id;
  draft.withdrawn = std::move(past.withdrawn);
  return {};
}

}  // namespace qdedup::iteration
