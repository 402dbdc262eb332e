#include "iteration/sweep.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/containers.h"
#include "base/parallel.h"
#include "db/snapshot.h"
#include "db/swept_questions.h"
#include "engine/decide.h"
#include "finder/exact_index.h"
#include "iteration/near_groups.h"
#include "iteration/sweep_pass.h"
#include "refine/character_counts.h"
#include "refine/parts.h"
#include "refine/words.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t deletions_per_batch = 20'000;

// Which questions a sweep compares.
struct SweepScope {
  // One value for each question with a text, by id: only questions with equal values are compared. If empty,
  // the bank's fingerprints are used.
  std::span<const std::uint64_t> fingerprints = {};
  // Where sweeps record the questions without duplicates; null: nowhere.
  db::SweptQuestions* swept = nullptr;
  SweepLimits limits = {};
};

// Runs the passes of a plan, which was made from the scope's fingerprints.
class Sweep {
 public:
  Sweep(db::Bank& bank, const config::Settings& settings, const engine::Past& past, const SweepPlan& plan,
        const SweepScope& scope, const Progress& progress)
      : bank_(bank), scope_(scope), settings_(settings), past_(past), plan_(plan), progress_(progress) {}

  Result<refine::KeeperChoice> run() {
    for (const PlannedPass& pass : plan_.passes) QDEDUP_TRY(sweep(pass));
    choice_.sort();
    return std::move(choice_);
  }

 private:
  Status sweep(const PlannedPass& planned) {
    QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::SweptQuestion> swept, swept_before(planned));
    QDEDUP_ASSIGN_OR_RETURN(engine::SignGroups groups,
                            load_pass(planned, scope_.fingerprints, swept, bank_, settings_.refine,
                                      settings_.resources.threads, [this](std::size_t) { tell(0); }));
    choice_.append(engine::decide_groups(groups, past_, settings_.refine, limits_for(groups),
                                         [this](std::size_t questions) { tell(questions); }));
    done_ += groups.rows.size();
    return note(planned, swept, groups.rows);
  }

  // The index gets the memory that the questions leave, but at least a quarter.
  [[nodiscard]] engine::GroupLimits limits_for(const engine::SignGroups& groups) const {
    const unsigned threads = thread_count(settings_.resources.threads);
    engine::GroupLimits limits{
        .threads = threads,
        .share = [threads](std::size_t count, const auto& work) { parallel_for(count, threads, work); },
        .indexed_at_once = scope_.limits.indexed_at_once,
        .block = scope_.limits.block,
        .large_group = scope_.limits.large_group};
    if (limits.indexed_at_once > 0) return limits;
    const std::uint64_t memory = settings_.resources.memory_bytes;
    const std::uint64_t left = memory - std::min(memory, groups.bytes() + 8 * plan_.shared.size());
    limits.indexed_at_once = std::max<std::uint64_t>(
        1, std::max(left, memory / 4) /
               finder::ExactIndex::bytes_each(groups.hans.average_length(), settings_.refine));
    return limits;
  }

  Result<std::vector<db::SweptQuestion>> swept_before(const PlannedPass& planned) {
    if (scope_.swept == nullptr) return std::vector<db::SweptQuestion>();
    return scope_.swept->in(planned.first_bucket, planned.last_bucket);
  }

  // Records the questions that the pass found to have no duplicates.
  Status note(const PlannedPass& planned, const std::vector<db::SweptQuestion>& before,
              const std::vector<engine::SweepRow>& rows) {
    if (scope_.swept == nullptr) return {};
    std::vector<std::vector<db::SweptQuestion>> by_bucket(planned.last_bucket - planned.first_bucket);
    std::vector<db::SweptQuestion> now;
    for (const engine::SweepRow& row : rows) {
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
  const engine::Past& past_;
  const SweepPlan& plan_;
  const Progress& progress_;
  refine::KeeperChoice choice_;
  std::uint64_t done_ = 0;
};

// The questions named by some deletions, by id.
using Texts = std::vector<db::BankQuestion>;

Result<Texts> read_texts(std::span<const refine::Deletion> deletions, db::Bank& bank) {
  std::vector<QuestionId> ids;
  for (const refine::Deletion& deletion : deletions) {
    ids.push_back(deletion.question);
    ids.push_back(deletion.keeper);
  }
  sort_unique(ids);
  Texts texts;
  texts.reserve(ids.size());
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot snapshot, db::Snapshot::take(bank));
  for (const QuestionId id : ids) {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<db::BankQuestion> found, bank.find(id));
    if (!found) return Error{ErrorCode::internal, std::to_string(id) + ": left the bank meanwhile"};
    found->original = {};
    texts.push_back(*std::move(found));
  }
  return texts;
}

// The rows of pairs that pass the duplicate test and are in the bank. Reads the texts in batches, by id.
Result<std::vector<refine::AnnotatedDeletion>> annotate_deletions(std::span<const refine::Deletion> deletions,
                                                                  db::Bank& bank,
                                                                  const engine::Measure& measure,
                                                                  unsigned threads) {
  std::vector<refine::AnnotatedDeletion> all(deletions.size());
  for (std::size_t begin = 0; begin < deletions.size(); begin += deletions_per_batch) {
    const auto batch = deletions.subspan(begin, std::min(deletions_per_batch, deletions.size() - begin));
    QDEDUP_ASSIGN_OR_RETURN(const Texts texts, read_texts(batch, bank));
    const auto compared = [&](QuestionId id) {
      const db::BankQuestion& found = *std::ranges::lower_bound(texts, id, {}, &db::BankQuestion::id);
      return engine::ComparedQuestion(id, {found.text, found.answer}, measure.settings.duplicates);
    };
    parallel_for(batch.size(), threads, [&](std::size_t i) {
      all[begin + i] =
          engine::annotate(compared(batch[i].question), compared(batch[i].keeper), measure).value();
    });
  }
  return all;
}

// Decides the questions in the scope, and commits.
Result<StoredIteration> sweep_and_commit(BegunIteration begun, const SweepPlan& plan, const SweepScope& scope,
                                         const IterationContext& context) {
  const config::Settings& settings = context.settings;
  db::IterationDraft& draft = begun.draft;
  QDEDUP_ASSIGN_OR_RETURN(const refine::KeeperChoice choice,
                          Sweep(context.bank, settings, begun.past, plan, scope, context.progress).run());
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, context.bank.character_counts());
  const auto annotated = [&](const std::vector<refine::Deletion>& deletions) {
    return annotate_deletions(deletions, context.bank, {{settings.refine, begun.contrast}, characters},
                              thread_count(settings.resources.threads));
  };
  QDEDUP_ASSIGN_OR_RETURN(draft.outcome.deletions, annotated(choice.deletions));
  QDEDUP_ASSIGN_OR_RETURN(draft.outcome.repointed, annotated(choice.repointed));
  QDEDUP_ASSIGN_OR_RETURN(draft.outcome.further, annotated(choice.further));
  draft.outcome.held = choice.held;
  draft.record.cluster_sizes = plan.group_sizes;
  count_merge(miner::counts_of_groups(plan.questions, plan.group_sizes), draft.record.counts);
  if (choice.deletions.empty() && choice.repointed.empty() && begun.is_settled())
    return commit_stale_pairs(draft, context.writing);
  return commit_draft(std::move(draft), context);
}

// "in parts": a version that does not know about parts of a bucket (db/swept_questions.h) would update only
// the first one.
std::string rules_of(const refine::DuplicateSettings& settings) {
  Json rule;
  refine::add_settings(settings, rule);
  const std::string words =
      settings.features == refine::FeatureKind::words ? ", words of " + refine::word_rules_version() : "";
  return refine::sign_rules_version() + ", " + json_text(rule) + words + ", in parts";
}

std::string with_finder(const std::string& settings, const std::string& finder) {
  auto json = nlohmann::ordered_json::parse(settings);
  json["finder"] = finder;
  return json.dump();
}

}  // namespace

Result<StoredIteration> run_sweep(const IterationContext& context, const SweepLimits& limits) {
  QDEDUP_ASSIGN_OR_RETURN(BegunIteration begun, begin_iteration("sweep", context));
  context.progress("sweep", 0, 0, "questions");
  QDEDUP_ASSIGN_OR_RETURN(const SweepPlan plan,
                          plan_sweep(context.bank, context.settings.refine, limits.questions_per_pass));
  db::SweptQuestions swept(context.bank);
  QDEDUP_TRY(swept.begin(rules_of(context.settings.refine)));
  return sweep_and_commit(std::move(begun), plan, {.swept = &swept, .limits = limits}, context);
}

Result<NearSweepReport> run_near_sweep(const IterationContext& context,
                                       std::unique_ptr<finder::NearFinder> finder,
                                       const SweepLimits& limits) {
  QDEDUP_ASSIGN_OR_RETURN(BegunIteration begun, begin_iteration("sweep", context));
  begun.draft.record.settings = with_finder(begun.draft.record.settings, finder->name());
  QDEDUP_ASSIGN_OR_RETURN(
      const NearGroups near,
      near_groups(context.bank, std::move(finder), begun.past, context.settings.refine,
                  context.settings.resources.threads, limits.near_slice, context.progress));
  const SweepPlan plan = plan_sweep(near.fingerprints, limits.questions_per_pass);
  QDEDUP_ASSIGN_OR_RETURN(StoredIteration iteration,
                          sweep_and_commit(std::move(begun), plan,
                                           {.fingerprints = near.fingerprints, .limits = limits}, context));
  return NearSweepReport{std::move(iteration), near.fingerprints.size(), near.candidates};
}

}  // namespace qdedup::iteration
