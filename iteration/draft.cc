#include "iteration/draft.h"

#include <cstdint>
#include <optional>

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
    return Error{ErrorCode::data, bank.path() + ": the import of " + **interrupted +
                                      " was interrupted; run it again first. What was mined waits meanwhile"};
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

}  // namespace qdedup::iteration
