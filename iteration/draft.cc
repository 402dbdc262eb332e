#include "iteration/draft.h"

#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/version.h"
#include "db/arrivals.h"
#include "db/fingerprints.h"
#include "db/lake.h"
#include "db/learned_weights.h"
#include "iteration/arriving.h"
#include "iteration/revalidation.h"
#include "refine/risk_model.h"

namespace qdedup::iteration {
namespace {

std::string settings_json(const config::Settings& settings) {
  nlohmann::ordered_json json{{"min_top_score", settings.selection.min_top_score},
                              {"min_score", settings.selection.min_score},
                              {"max_cluster_size", settings.merge.max_cluster_size},
                              {"markup", name(settings.text.markup)},
                              {"numbering", name(settings.text.numbering)}};
  refine::add_settings(settings.refine, json);
  return json.dump();
}

Status check_complete(db::Bank& bank) {
  QDEDUP_TRY(expect_no_interrupted_import(bank));
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  if (questions > 0) return {};
  return Error{ErrorCode::no_input,
               bank.path() +
                   ": the bank is empty; load it with `qdedup import`, or, if it is in a lake, "
                   "see `qdedup spark`. What was mined waits meanwhile"};
}

}  // namespace

Result<bool> is_in_lake(db::Store& store, db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  if (questions > 0) return false;
  return db::knows_lake(store);
}

Result<BegunIteration> begin_iteration(const std::string& kind, const IterationContext& context) {
  QDEDUP_TRY(expect_bank_here(context.reading, context.bank));
  QDEDUP_TRY(check_complete(context.bank));
  QDEDUP_TRY(expect_text_settings(context.reading, context.bank, context.settings.text));
  QDEDUP_TRY(db::bring_texts_up_to_date(context.bank, context.settings.text, context.progress));
  QDEDUP_TRY(
      follow_bank(context.reading, context.writing, context.bank, context.settings.refine, context.clock));
  QDEDUP_ASSIGN_OR_RETURN(BegunIteration begun, begin_iteration(kind, context, present_in(context.bank)));
  QDEDUP_ASSIGN_OR_RETURN(begun.draft.bank, db::present_bank(context.bank));
  return begun;
}

Result<BegunIteration> begin_iteration(const std::string& kind, const IterationContext& context,
                                       const engine::PresentText& present) {
  db::IterationDraft draft;
  draft.record.kind = kind;
  draft.record.started_at = timestamp(context.clock.now());
  draft.record.version = program_version();
  draft.record.settings = settings_json(context.settings);
  QDEDUP_ASSIGN_OR_RETURN(refine::ContrastSettings contrast,
                          db::with_weights(context.settings.contrast, context.reading));
  draft.record.weights = refine::model_of(contrast).name();
  QDEDUP_ASSIGN_OR_RETURN(const StoredPairs stored, read_pairs(context.reading));
  QDEDUP_ASSIGN_OR_RETURN(engine::Revalidated revalidated, engine::revalidate(stored.pairs, present));
  draft.last_reopened_id = stored.last_reopened_id;
  draft.withdrawn = std::move(revalidated.withdrawn);
  draft.lost = std::move(revalidated.lost);
  return BegunIteration{std::move(draft), std::move(revalidated.past), std::move(contrast)};
}

Status expect_no_interrupted_import(db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> interrupted, bank.interrupted_import());
  if (!interrupted) return {};
  if (interrupted->empty()) {
    return Error{
        ErrorCode::data,
        bank.path() +
            ": was lost and is made anew. Until `qdedup import` has brought all questions and no "
            "longer says that some are missing, nothing is decided, added or taken out, and what was "
            "mined waits"};
  }
  return Error{ErrorCode::data,
               bank.path() + ": the import of " + (*interrupted == "-" ? "standard input" : *interrupted) +
                   " was interrupted. Until it was run again to its end, by the same name (of an empty file, "
                   "if it is not wanted) or with the same questions, nothing is decided, added or taken out, "
                   "and what was mined waits"};
}

Status expect_bank_here(db::Store& store, db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const bool in_lake, is_in_lake(store, bank));
  if (!in_lake) return {};
  return Error{ErrorCode::usage, bank.path() +
                                     ": the bank of this state is in a lake, where only `qdedup spark` "
                                     "reaches it; use another state (--state) for a bank here"};
}

std::string shown_options(const markup::Options& options) {
  return "markup = \"" + std::string(name(options.markup)) + "\", numbering = \"" +
         std::string(name(options.numbering)) + "\"";
}

Result<std::optional<markup::Options>> last_options(db::Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(const auto last, db::Iterations(store).find(std::nullopt));
  if (!last) return std::optional<markup::Options>();
  const auto json = parse_json(last->settings);
  const auto text = [&](const char* key) {
    const std::string* const found = string_at(json, key);
    return found == nullptr ? std::string_view() : std::string_view(*found);
  };
  return std::optional<markup::Options>(
      {.markup = value_in(markup::reading_names, text("markup")).value_or(markup::Reading::plain),
       .numbering = value_in(markup::numbering_names, text("numbering")).value_or(markup::Numbering::keep)});
}

Status expect_text_settings(db::Store& store, db::Bank& bank, const markup::Options& wanted) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  const bool is_imported = questions > 0;
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<markup::Options> known,
                          is_imported ? db::known_options(bank) : last_options(store));
  if (!known || *known == wanted) return {};
  const std::string of_both = " with [text] " + shown_options(*known) + "; in force is " +
                              shown_options(wanted) + ", by which other questions would be duplicates. ";
  if (!is_imported) {
    return Error{ErrorCode::config,
                 bank.path() + ": the last iteration read texts" + of_both +
                     "Set the former in the config (--config); once the bank has questions, "
                     "an import may change it"};
  }
  return Error{
      ErrorCode::config,
      bank.path() + ": its texts were imported" + of_both +
          "Set the former in the config (--config); or, to read all texts anew by the latter, import "
          "any question with it"};
}

Status check_has_pairs(db::Store& store, db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const bool in_lake, is_in_lake(store, bank));
  return in_lake ? Status() : check_complete(bank);
}

Result<StoredIteration> commit_draft(db::IterationDraft draft, const IterationContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, context.bank.count());
  return commit_draft(std::move(draft), questions, context);
}

Result<StoredIteration> commit_draft(db::IterationDraft draft, std::uint64_t questions,
                                     const IterationContext& context) {
  const config::Settings& settings = context.settings;
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
  draft.arrival_of = db::arrivals_in(context.bank);
  QDEDUP_ASSIGN_OR_RETURN(draft.record.id, context.writing.write([&](db::Store& store) {
    return db::Iterations(store).commit(draft, settings.state.kept_iterations);
  }));
  // What it does not come to, the next one does; the iteration is stored.
  (void)follow_bank(context.reading, context.writing, context.bank, settings.refine, context.clock);
  return std::optional(std::move(draft.record));
}

void count_merge(const miner::MergeCounts& merge, db::IterationCounts& counts) {
  counts.distinct_lists = merge.distinct_lists;
  counts.ids = merge.ids;
  counts.joins = merge.joins;
  counts.refused_joins = merge.refused_joins;
  counts.clusters = merge.clusters;
  counts.largest_cluster = merge.largest_cluster;
}

Result<StoredIteration> commit_stale_pairs(const db::IterationDraft& draft, db::StoreWriter& writing) {
  if (draft.lost.empty()) return StoredIteration();
  QDEDUP_TRY(writing.write([&](db::Store& store) { return db::VerifiedPairs(store).lose(draft.lost); }));
  return StoredIteration();
}

}  // namespace qdedup::iteration
