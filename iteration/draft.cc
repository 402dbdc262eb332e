#include "iteration/draft.h"

#include <cstdint>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/version.h"

namespace qdedup::iteration {
namespace {

std::string settings_json(const config::Settings& settings) {
  return nlohmann::ordered_json{{"min_top_score", settings.selection.min_top_score},
                                {"min_score", settings.selection.min_score},
                                {"max_cluster_size", settings.merge.max_cluster_size},
                                {"min_similarity", settings.refine.min_similarity},
                                {"similarity", name(settings.refine.similarity)}}
      .dump();
}

}  // namespace

db::IterationDraft begin_draft(const std::string& kind, const config::Settings& settings,
                               const Clock& clock) {
  db::IterationDraft draft;
  draft.record.kind = kind;
  draft.record.started_at = timestamp(clock.now());
  draft.record.version = program_version();
  draft.record.settings = settings_json(settings);
  return draft;
}

Status check_complete(db::Bank& bank) {
  const Result<std::uint64_t> questions = bank.count();
  if (!questions.ok()) return questions.error();
  const Result<std::optional<std::string>> interrupted = bank.interrupted_import();
  if (!interrupted.ok()) return interrupted.error();
  if (*interrupted) {
    const std::string source = **interrupted == "-" ? "standard input" : **interrupted;
    return Error{ErrorCode::data,
                 bank.path() + ": the import of " + source +
                     " was interrupted. Until its whole file is imported, by the same name or "
                     "with at least as many rows, nothing is decided, and what was mined waits"};
  }
  if (*questions > 0) return {};
  return Error{
      ErrorCode::no_input,
      bank.path() + ": the bank is empty; load it with `qdedup import`. What was mined waits meanwhile"};
}

Status apply_policy(const config::ReviewSettings& settings, db::Bank& bank, db::IterationDraft& draft) {
  const Result<std::uint64_t> questions = bank.count();
  if (!questions.ok()) return questions.error();
  draft.record.withheld =
      settings.max_deletions_per_iteration.exceeded_by(draft.deletions.size(), *questions);
  draft.approve_safe = settings.approve_safe && !draft.record.withheld;
  return {};
}

Result<std::optional<db::IterationRecord>> commit_draft(db::IterationDraft draft, db::StoreWriter& writing,
                                                        db::Bank& bank, const config::Settings& settings,
                                                        const Clock& clock) {
  QDEDUP_TRY(apply_policy(settings.review, bank, draft));
  draft.record.finished_at = timestamp(clock.now());
  const Result<std::int64_t> id = writing.write(
      [&](db::Store& store) { return db::Iterations(store).commit(draft, settings.state.kept_iterations); });
  if (!id.ok()) return id.error();
  draft.record.id = *id;
  return std::optional(std::move(draft.record));
}

Status commit_lost_pairs(const db::IterationDraft& draft, db::StoreWriter& writing) {
  if (draft.lost.empty()) return {};
  return writing.write([&](db::Store& store) { return db::VerifiedPairs(store).lose(draft.lost); });
}

Result<std::optional<db::IterationRecord>> commit_sweep(db::IterationDraft draft, db::StoreWriter& writing,
                                                        db::Bank& bank, const config::Settings& settings,
                                                        const Clock& clock) {
  if (draft.deletions.empty() && draft.repointed.empty() && draft.withdrawn.empty() &&
      draft.last_reopened_id == 0) {
    QDEDUP_TRY(commit_lost_pairs(draft, writing));
    return std::optional<db::IterationRecord>();
  }
  return commit_draft(std::move(draft), writing, bank, settings, clock);
}

}  // namespace qdedup::iteration
