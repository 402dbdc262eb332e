#include "iteration/draft.h"

#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "db/deletions.h"
#include "db/fingerprints.h"
#include "db/learned_weights.h"
#include "iteration/revalidation.h"
#include "refine/risk_model.h"

namespace qdedup::iteration {
namespace {

std::string settings_json(const config::Settings& settings) {
  return nlohmann::ordered_json{{"min_top_score", settings.selection.min_top_score},
                                {"min_score", settings.selection.min_score},
                                {"max_cluster_size", settings.merge.max_cluster_size},
                                {"markup", name(settings.text.markup)},
                                {"numbering", name(settings.text.numbering)},
                                {"min_similarity", settings.refine.min_similarity},
                                {"similarity", name(settings.refine.similarity)}}
      .dump();
}

}  // namespace

Result<BegunIteration> begin_iteration(const std::string& kind, const IterationContext& context) {
  db::IterationDraft draft;
  draft.record.kind = kind;
  draft.record.started_at = timestamp(context.clock.now());
  draft.record.version = program_version();
  draft.record.settings = settings_json(context.settings);
  QDEDUP_ASSIGN_OR_RETURN(refine::ContrastSettings contrast,
                          db::with_weights(context.settings.contrast, context.reading));
  draft.record.weights = refine::model_of(contrast).name();
  QDEDUP_TRY(check_complete(context.bank));
  QDEDUP_TRY(db::bring_texts_up_to_date(context.bank, context.settings.text, context.progress));
  db::Deletions deletions(context.reading);
  QDEDUP_ASSIGN_OR_RETURN(Revalidated revalidated, revalidate_deletions(deletions, context.bank));
  draft.withdrawn = std::move(revalidated.withdrawn);
  draft.last_reopened_id = revalidated.last_reopened_id;
  QDEDUP_ASSIGN_OR_RETURN(draft.lost, find_stale_pairs(context.reading, context.bank, revalidated.past.open));
  return BegunIteration{std::move(draft), std::move(revalidated.past), std::move(contrast)};
}

Status check_complete(db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> interrupted, bank.interrupted_import());
  if (interrupted) {
    const std::string source = *interrupted == "-" ? "standard input" : *interrupted;
    return Error{ErrorCode::data,
                 bank.path() + ": the import of " + source +
                     " was interrupted. Until its whole file is imported, by the same name or "
                     "with at least as many rows, nothing is decided, and what was mined waits"};
  }
  if (questions > 0) return {};
  return Error{
      ErrorCode::no_input,
      bank.path() + ": the bank is empty; load it with `qdedup import`. What was mined waits meanwhile"};
}

Result<StoredIteration> commit_draft(db::IterationDraft draft, const IterationContext& context) {
  const config::Settings& settings = context.settings;
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, context.bank.count());
  const std::size_t deletions = draft.outcome.deletions.size();
  draft.record.withheld = settings.review.max_deletions_per_iteration.exceeded_by(deletions, questions);
  if (!draft.record.withheld) draft.policy = settings.review.auto_approve;
  db::IterationCounts& counts = draft.record.counts;
  counts.missing = draft.outcome.missing;
  counts.held = draft.outcome.held;
  counts.deletions = deletions;
  counts.repointed = draft.outcome.repointed.size();
  counts.withdrawn = draft.withdrawn.size();
  draft.record.finished_at = timestamp(context.clock.now());
  QDEDUP_ASSIGN_OR_RETURN(draft.record.id, context.writing.write([&](db::Store& store) {
    return db::Iterations(store).commit(draft, settings.state.kept_iterations);
  }));
  return std::optional(std::move(draft.record));
}

Status commit_stale_pairs(const db::IterationDraft& draft, db::StoreWriter& writing) {
  if (draft.lost.empty()) return {};
  return writing.write([&](db::Store& store) { return db::VerifiedPairs(store).lose(draft.lost); });
}

}  // namespace qdedup::iteration
