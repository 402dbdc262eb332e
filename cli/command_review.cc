#include <algorithm>
#include <array>
#include <ostream>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "base/suggestion.h"
#include "cli/commands.h"
#include "db/decisions.h"
#include "db/iterations.h"
#include "iteration/arriving.h"
#include "logs/spooled_file.h"
#include "refine/contrast.h"
#include "review/deciding.h"

namespace qdedup::cli {
namespace {

// The result of some decisions.
struct DecisionSummary {
  db::DecisionReport report;
  std::uint64_t undecided = 0;
  std::map<std::string, std::uint64_t> refused;  // by kind
  bool trial = false;
  bool kept = true;  // false: something was refused, so nothing was changed
};

constexpr std::array<const char*, db::decision_kinds> outcome_names = {"approved", "rejected", "reset",
                                                                       "applied"};

void report_problems(const CommandContext& context, const review::RequestedDecisions& requested,
                     const std::string& list) {
  if (list.empty()) return;
  for (const auto& problem : requested.problems) {
    const review::ListPlace& place = problem.place;
    context.console().report_row(
        list, place.sheet == 0 ? ":" + std::to_string(place.line) : ": " + place.shown(), problem.reason);
  }
  std::uint64_t more = 0;
  for (const auto& [kind, rows] : requested.refused) more += rows;
  more -= requested.problems.size();
  if (more == 0) return;
  context.console().report_row(list, "", grouped(more) + " more rows were refused; they are only counted");
}

void print_text(std::ostream& out, const DecisionSummary& summary) {
  if (summary.trial) out << "dry run, nothing is changed: ";
  if (!summary.trial && !summary.kept) out << "nothing was changed: ";
  std::string counts;
  for (std::size_t i = 0; i < outcome_names.size(); ++i) {
    const std::uint64_t changed = summary.report.changed.at(i);
    if (changed > 0) counts += (counts.empty() ? "" : ", ") + grouped(changed) + " " + outcome_names.at(i);
  }
  out << (counts.empty() ? "no change" : counts);
  if (summary.report.unchanged > 0) out << "; " << grouped(summary.report.unchanged) << " were so already";
  if (summary.undecided > 0) out << "; " << grouped(summary.undecided) << " without a decision";
  out << '\n';
  for (const auto& [reason, count] : summary.refused) {
    out << "  refused " << grouped(count) << ": " << escaped(reason) << '\n';
  }
}

void note_decisions(const CommandContext& context, const DecisionSummary& summary) {
  std::map<std::string, std::uint64_t> counts = {{"unchanged", summary.report.unchanged}};
  for (std::size_t i = 0; i < outcome_names.size(); ++i)
    counts[outcome_names.at(i)] = summary.report.changed.at(i);
  for (const auto& [reason, rows] : summary.refused) counts["refused"] += rows;
  context.note_done(std::move(counts));
}

// Stores the decisions: all of them or, if one is refused, none or only the others. Problems with rows of
// `list` are reported as "list:line: reason", or "list: row 5 of sheet deletions: reason".
Result<DecisionSummary> take_decisions(const CommandContext& context, db::WritableState& state,
                                       review::RequestedDecisions requested, const std::string& given_name,
                                       db::OnRefusal on_refusal, bool trial, const std::string& list) {
  DecisionSummary summary;
  const bool leave_out = on_refusal == db::OnRefusal::leave_out;
  const bool refused_before = !requested.problems.empty() && !leave_out;
  const db::Decider who = {state.user, timestamp(context.clock().now()), given_name};
  QDEDUP_ASSIGN_OR_RETURN(db::DecisionReport report, state.store.write([&](db::Store& store) {
    return db::Decisions(store).take(requested.requests, who, on_refusal, trial || refused_before);
  }));
  for (const auto& refusal : report.refused) {
    requested.refuse(requested.places[refusal.request], refusal.kind, refusal.reason);
  }
  report_problems(context, requested, list);
  summary.refused = std::move(requested.refused);
  summary.report = std::move(report);
  summary.undecided = requested.undecided;
  summary.trial = trial;
  summary.kept = leave_out || summary.refused.empty();
  if (!summary.kept) summary.report.changed = {};
  if (!trial && summary.kept) {
    // What it does not come to, the next one does; the decisions are stored.
    if (Result<db::Store> reading = context.open_store_for_reading(); reading.ok()) {
      (void)iteration::follow_bank(*reading, state.store, state.bank, context.settings().refine,
                                   context.clock());
    }
  }
  if (!trial) note_decisions(context, summary);
  return summary;
}

// "3 approved, 1 rejected; 2 were so already", followed by what was refused; or the same as JSON.
void print_decisions(const CommandContext& context, const DecisionSummary& summary) {
  if (!context.json()) return print_text(context.words(), summary);
  Json json = {{"dry_run", summary.trial}};
  for (std::size_t i = 0; i < outcome_names.size(); ++i)
    json[outcome_names.at(i)] = summary.report.changed.at(i);
  json["unchanged"] = summary.report.unchanged;
  json["undecided"] = summary.undecided;
  json["refused"] = summary.refused;
  print_json(context.out(), json);
}

struct ReviewOptions {
  std::optional<QuestionId> question;
  std::optional<QuestionId> keeper;
  db::DeletionFilter filter;  // without the confidence
  std::string confidence;
  std::string file;
  std::string by;
  std::string note;
  bool trial = false;
  bool strict = false;

  [[nodiscard]] bool has_filter() const {
    return filter.iteration || !confidence.empty() || filter.max_risk || !filter.reason.empty() ||
           filter.min_similarity > 0;
  }
};

Result<review::RequestedDecisions> look_up(db::Decision decision, const ReviewOptions& options,
                                           ReadableState& state) {
  review::DecisionLookup lookup(state.store, state.bank);
  if (options.question) return lookup.of_pair(*options.question, *options.keeper, decision, options.note);
  db::DeletionFilter filter = options.filter;
  if (filter.iteration) QDEDUP_TRY(db::Iterations(state.store).existing(*filter.iteration));
  filter.confidence = refine::confidence_named(options.confidence);
  return lookup.of_filter(std::move(filter), decision, options.note);
}

// Where nothing that was asked for could be used, as of a wrong file.
Result<int> exit_code(const DecisionSummary& summary, const std::string& list, bool strict) {
  const bool is_useless =
      !summary.refused.empty() && summary.report.unchanged == 0 && summary.report.changed_total() == 0;
  if (!is_useless) return batch_exit_code(!summary.refused.empty(), strict);
  return Error{ErrorCode::data, list.empty() ? "nothing could be decided: all was refused"
                                             : list + ": nothing was marked: every row was refused"};
}

Result<int> decide(db::Decision decision, const ReviewOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(ReadableState reading, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(review::RequestedDecisions requested, look_up(decision, options, reading));
  if (options.question && !requested.problems.empty()) {
    return Error{ErrorCode::data, requested.problems.front().reason};
  }
  const auto on_refusal = options.question ? db::OnRefusal::change_nothing : db::OnRefusal::leave_out;
  QDEDUP_ASSIGN_OR_RETURN(
      const DecisionSummary summary,
      take_decisions(context, *state, std::move(requested), options.by, on_refusal, options.trial, ""));
  if (!summary.kept) return Error{ErrorCode::data, summary.report.refused.front().reason};
  print_decisions(context, summary);
  return exit_code(summary, "", false);
}

Result<DecisionSummary> decide_by_list(const ReviewOptions& options, review::ListUse use,
                                       db::OnRefusal on_refusal, const CommandContext& context) {
  QDEDUP_TRY(logs::spool_pipes({options.file}));
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(ReadableState reading, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(
      review::RequestedDecisions requested,
      review::DecisionLookup(reading.store, reading.bank).of_list(options.file, context.files(), use));
  QDEDUP_ASSIGN_OR_RETURN(DecisionSummary summary,
                          take_decisions(context, *state, std::move(requested), options.by, on_refusal,
                                         options.trial, options.file));
  print_decisions(context, summary);
  return summary;
}

Result<int> import_decisions(const ReviewOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(
      const DecisionSummary summary,
      decide_by_list(options, review::ListUse::decisions, db::OnRefusal::change_nothing, context));
  return summary.kept ? 0 : static_cast<int>(ErrorCode::data);
}

Result<int> mark_applied(const ReviewOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const DecisionSummary summary, decide_by_list(options, review::ListUse::questions,
                                                                        db::OnRefusal::leave_out, context));
  return exit_code(summary, options.file, options.strict);
}

struct ReleaseOptions {
  std::int64_t iteration = 0;
  std::string by;
};

Result<int> release(const ReleaseOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  const std::string by = db::display_name(state->user, options.by);
  QDEDUP_ASSIGN_OR_RETURN(const bool released, state->store.write([&](db::Store& store) -> Result<bool> {
    QDEDUP_TRY(db::Iterations(store).existing(options.iteration));
    return db::Iterations(store).release(options.iteration, by, timestamp(context.clock().now()));
  }));
  const std::string iteration = "iteration " + std::to_string(options.iteration);
  if (!released) return Error{ErrorCode::no_input, iteration + " is not held"};
  context.note_done({{"iteration", static_cast<std::uint64_t>(options.iteration)}});
  if (context.json()) {
    print_json(context.out(), {{"iteration", options.iteration}, {"released_by", by}});
  } else {
    context.words() << iteration << ": released; its deletions can be approved\n";
  }
  return 0;
}

void add_release(CLI::App& review, Command& chosen) {
  auto options = std::make_shared<ReleaseOptions>();
  CLI::App* command = review.add_subcommand("release",
                                            "Allow approving the deletions of an iteration that is held for "
                                            "listing too many; auto_approve passes over them");
  command->add_option("N", options->iteration, "The iteration")->required()->check(whole_number());
  add_by_option(*command, options->by, "Who does it, for the audit");
  command->callback([options, &chosen] { chosen = {with_options(options, release), true}; });
}

void check_choice(const ReviewOptions& options) {
  if (options.question && !options.keeper) throw CLI::RequiredError("KEEPER");
  if (options.question && options.has_filter()) {
    throw CLI::ValidationError("ID KEEPER", "names one deletion; it takes no filter beside it");
  }
  if (!options.question && !options.has_filter()) throw CLI::RequiredError("ID KEEPER, or a filter");
}

CLI::Validator known_reason() {
  return {[](const std::string& reason) -> std::string {
            const auto known = refine::finding_kinds();
            if (std::ranges::find(known, reason.substr(0, reason.find(':'))) != known.end()) return "";
            return "there is no reason \"" + reason + "\"" + suggestion(reason, known);
          },
          ""};
}

void add_deciding_options(CLI::App& command, ReviewOptions& options) {
  add_by_option(command, options.by, "Who decides, for the audit");
  command.add_flag("--dry-run", options.trial, "Only report what would be done");
}

void add_decision(CLI::App& review, Command& chosen, db::Decision decision, const std::string& meaning) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command = review.add_subcommand(std::string(name(decision)), meaning);
  command->add_option("ID", options->question, "The question to be deleted")->check(whole_number());
  command->add_option("KEEPER", options->keeper, "The question that stays")->check(whole_number());
  command->add_option("--iteration", options->filter.iteration, "Those that this iteration listed")
      ->check(whole_number());
  command->add_option("--confidence", options->confidence, "Only safe, or only doubtful ones")
      ->type_name("C")
      ->check(CLI::IsMember({"safe", "doubtful"}));
  add_max_risk_option(*command, options->filter.max_risk);
  command->add_option("--reason", options->filter.reason, "Those with this reason, such as polarity")
      ->type_name("R")
      ->check(known_reason());
  command
      ->add_option("--min-similarity", options->filter.min_similarity,
                   "Those with at least this similarity, in percent")
      ->check(whole_number(1, 100));
  command->add_option("--note", options->note, "Why")->type_name("TEXT")->check(audit_note());
  add_deciding_options(*command, *options);
  command->callback([options, decision, &chosen] {
    check_choice(*options);
    chosen = {[=](const CommandContext& context) { return decide(decision, *options, context); }, true};
  });
}

void add_import(CLI::App& review, Command& chosen) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command = review.add_subcommand(
      "import", "Take the decisions of a list that export wrote, all of them or, if one is refused, none");
  command
      ->add_option(
          "FILE", options->file,
          "XLSX, CSV, TSV or JSON lines with the column decision filled in: approve, reject, reset, or empty")
      ->required();
  add_deciding_options(*command, *options);
  command->callback([options, &chosen] {
    chosen = {with_options(options, import_decisions), true, {options->file}};
  });
}

}  // namespace

void add_review_command(CLI::App& app, Command& chosen) {
  CLI::App* review = app.add_subcommand("review", "Decide on deletions: one pair, a filter, or a list");
  review->require_subcommand(1);
  review->fallthrough();
  add_decision(*review, chosen, db::Decision::approve, "Approve pending deletions");
  add_decision(*review, chosen, db::Decision::reject, "Reject deletions; the pairs are not listed again");
  add_decision(*review, chosen, db::Decision::reset, "Take decisions back: the deletions are pending again");
  add_import(*review, chosen);
  add_release(*review, chosen);
}

void add_applied_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command =
      app.add_subcommand("applied", "Mark approved deletions as carried out in the search index");
  command->add_option("FILE", options->file, "The exported list of them, or their ids, one a line")
      ->required();
  add_by_option(*command, options->by, "Who does it, for the audit");
  command->add_flag("--strict", options->strict, "Exit with 65 when a row was refused");
  command->callback([options, &chosen] {
    chosen = {with_options(options, mark_applied), true, {options->file}};
  });
}

}  // namespace qdedup::cli
