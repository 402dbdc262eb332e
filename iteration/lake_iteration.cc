#include "iteration/lake_iteration.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/escaped.h"
#include "base/file_descriptor.h"
#include "base/version.h"
#include "db/evidence.h"
#include "db/iterations.h"
#include "db/lake.h"
#include "db/learned_weights.h"
#include "import/line_reader.h"
#include "iteration/revalidation.h"
#include "markup/compared.h"

namespace qdedup::iteration {
namespace {

static_assert(spark::max_question_bytes == import::LineReader::default_max_bytes);

constexpr const char* too_long =
    "is longer than any line of a draft (256 MiB). Nothing was committed; run `qdedup-spark` again, "
    "into a new folder";

// One state follows one bank: another one would withdraw what the first one listed.
Status expect_no_bank(const IterationContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, context.bank.count());
  if (questions > 0) {
    return Error{ErrorCode::usage, context.bank.path() +
                                       ": this state has a bank of its own. Use another state (--state) for "
                                       "a bank in a lake"};
  }
  QDEDUP_ASSIGN_OR_RETURN(const db::UnconsumedEvidence waiting, db::Evidence(context.reading).unconsumed());
  if (waiting.lines == 0) return {};
  return Error{ErrorCode::usage, context.reading.path() +
                                     ": logs were mined into this state. Use another state (--state) for "
                                     "logs in a lake"};
}

Result<std::vector<std::string>> parts_of_draft(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) return Error{ErrorCode::no_input, folder + ": is no folder"};
  if (!fs::exists(folder + "/_SUCCESS", failure)) {
    return Error{ErrorCode::data, folder +
                                      ": is no complete draft: _SUCCESS is missing, so `qdedup-spark` did "
                                      "not finish. Nothing was committed"};
  }
  std::vector<std::string> parts;
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> names, names_in(folder));
  for (const std::string& name : names) {
    if (!name.starts_with('_') && !name.starts_with('.')) parts.push_back(fs::path(folder) / name);
  }
  std::ranges::sort(parts);
  return parts;
}

void count_logs(const std::vector<spark::MinedLakeLog>& logs, db::IterationDraft& draft) {
  db::IterationCounts& counts = draft.record.counts;
  for (const spark::MinedLakeLog& log : logs) {
    const LineTotals& totals = log.totals;
    draft.lake_logs.push_back({log.log.path, log.log.bytes, log.log.content, totals.lines, totals.selected,
                               totals.unselected, totals.rejected_total()});
    counts.lines += totals.lines;
    counts.selected += totals.selected;
    counts.unselected += totals.unselected;
    counts.rejected += totals.rejected_total();
  }
}

// What people see of the pairs.
void keep_questions(const spark::Plan& plan, spark::Draft& from, db::IterationDraft& draft) {
  for (auto& [id, question] : from.questions) {
    db::BankQuestion kept;
    kept.id = id;
    kept.text = std::move(question.text);
    kept.answer = std::move(question.answer);
    kept.original.text = std::move(question.original_text);
    kept.original.answer = std::move(question.original_answer);
    draft.lake_questions.push_back(std::move(kept));
  }
  for (const auto& [id, mark] : plan.known) {
    if (!from.present.contains(id)) draft.gone_lake_questions.push_back(id);
  }
}

// The same, where there is no iteration.
Status update_questions(const spark::Plan& plan, spark::Draft& from, db::StoreWriter& writing) {
  std::erase_if(from.questions, [&](const auto& question) { return !from.present.contains(question.first); });
  db::IterationDraft draft;
  keep_questions(plan, from, draft);
  if (draft.lake_questions.empty() && draft.gone_lake_questions.empty()) return {};
  return writing.write([&](db::Store& store) {
    return db::LakeQuestions(store).update(draft.lake_questions, draft.gone_lake_questions);
  });
}

Result<std::map<QuestionId, std::uint64_t>> known_questions(db::Store& store,
                                                            const engine::ListedPairs& listed) {
  const std::vector<QuestionId> ids = listed.ids();
  QDEDUP_ASSIGN_OR_RETURN(db::Cursor<db::BankQuestion> questions, db::LakeQuestions(store).all());
  std::map<QuestionId, std::uint64_t> known;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> question, questions.next());
    if (!question) return known;
    if (!std::ranges::binary_search(ids, question->id)) continue;
    known[question->id] = spark::mark_of(
        {question->id, question->text, question->answer, question->original.text, question->original.answer});
  }
}

}  // namespace

Result<spark::Plan> lake_plan(const IterationContext& context) {
  QDEDUP_TRY(expect_no_bank(context));
  const config::Settings& settings = context.settings;
  if (refine::set_measure(settings.refine.similarity) &&
      settings.refine.features == refine::FeatureKind::words) {
    return Error{ErrorCode::config,
                 "refine.features \"words\" needs ICU's dictionaries, which the package for Spark lacks; "
                 "use \"grams\""};
  }
  spark::Plan plan;
  plan.version = program_version();
  plan.rules = markup::rules_version(settings.text);
  QDEDUP_ASSIGN_OR_RETURN(const auto newest, db::Iterations(context.reading).find(std::nullopt));
  if (newest) plan.iteration = static_cast<std::uint64_t>(newest->id);
  plan.shape = settings.logs.shape;
  plan.max_line_bytes = settings.logs.max_line_bytes;
  plan.selection = settings.selection;
  plan.merge = settings.merge;
  plan.text = settings.text;
  plan.refine = settings.refine;
  QDEDUP_ASSIGN_OR_RETURN(plan.contrast, db::with_weights(settings.contrast, context.reading));
  QDEDUP_ASSIGN_OR_RETURN(StoredPairs stored, read_pairs(context.reading));
  plan.listed = std::move(stored.pairs);
  QDEDUP_ASSIGN_OR_RETURN(plan.known, known_questions(context.reading, plan.listed));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::LakeLogRecord> logs, db::lake_logs(context.reading));
  for (const db::LakeLogRecord& log : logs) plan.logs.push_back({log.path, log.bytes, log.content});
  return plan;
}

Result<spark::Draft> read_lake_draft(const std::string& folder, const logs::Files& files) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> parts, parts_of_draft(folder));
  spark::DraftReader reader;
  for (const std::string& part : parts) {
    QDEDUP_ASSIGN_OR_RETURN(import::LineReader lines,
                            import::open_lines(part, files, spark::max_draft_line_bytes));
    while (true) {
      QDEDUP_ASSIGN_OR_RETURN(const bool more, lines.next());
      if (!more) break;
      Status taken = lines.too_long() ? Error{ErrorCode::data, too_long} : reader.take(lines.text());
      if (!taken.ok())
        return std::move(taken).error().within(escaped(part) + ": line " + std::to_string(lines.number()));
    }
  }
  Result<spark::Draft> draft = std::move(reader).finish();
  if (!draft.ok()) return std::move(draft).error().within(folder);
  return draft;
}

LineTotals line_totals(const std::vector<spark::MinedLakeLog>& logs) {
  LineTotals totals;
  for (const spark::MinedLakeLog& log : logs) totals += log.totals;
  return totals;
}

Result<StoredIteration> commit_lake_draft(const IterationContext& context, spark::Draft draft) {
  QDEDUP_ASSIGN_OR_RETURN(const spark::Plan plan, lake_plan(context));
  QDEDUP_TRY(spark::expect_same(draft.head.plan, plan));
  const auto present = [&](QuestionId id) -> Result<std::optional<std::uint64_t>> {
    const auto found = draft.present.find(id);
    return found == draft.present.end() ? std::nullopt : std::optional(found->second);
  };
  const bool is_sweep = draft.head.is_sweep;
  QDEDUP_ASSIGN_OR_RETURN(BegunIteration begun,
                          begin_iteration(is_sweep ? "sweep" : "logs", context, present));
  db::IterationDraft& stored = begun.draft;
  count_logs(draft.logs, stored);
  const bool found_nothing = is_sweep ? draft.outcome.deletions.empty() && draft.outcome.repointed.empty()
                                      : stored.record.counts.selected == 0;
  if (found_nothing && begun.is_settled()) {
    QDEDUP_TRY(update_questions(plan, draft, context.writing));
    return commit_stale_pairs(stored, context.writing);
  }
  count_merge(draft.merge.counts, stored.record.counts);
  stored.record.cluster_sizes = std::move(draft.merge.cluster_sizes);
  stored.outcome = std::move(draft.outcome);
  keep_questions(plan, draft, stored);
  return commit_draft(std::move(stored), draft.head.questions, context);
}

}  // namespace qdedup::iteration
