#include <limits>
#include <memory>
#include <utility>

#include "cli/audit_text.h"
#include "cli/commands.h"
#include "cli/decision_summary.h"
#include "cli/whole_number.h"
#include "db/iterations.h"

namespace qdedup::cli {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

struct ReviewOptions {
  std::optional<QuestionId> question;
  std::optional<QuestionId> keeper;
  db::DeletionFilter filter;
  std::string file;
  std::string by;
  std::string note;
  bool trial = false;

  [[nodiscard]] bool has_filter() const {
    return filter.iteration || !filter.confidence.empty() || !filter.reason.empty() ||
           filter.min_similarity > 0;
  }
};

Result<review::RequestedDecisions> look_up(db::Decision decision, const ReviewOptions& options,
                                           ReadableState& state) {
  review::DecisionLookup lookup(state.store, state.bank);
  if (options.question) return lookup.of_pair(*options.question, *options.keeper, decision, options.note);
  return lookup.of_filter(options.filter, decision, options.note);
}

Result<int> decide(db::Decision decision, const ReviewOptions& options, const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  Result<ReadableState> reading = session.open_for_reading();
  if (!reading.ok()) return std::move(reading).error();
  Result<review::RequestedDecisions> requested = look_up(decision, options, *reading);
  if (!requested.ok()) return std::move(requested).error();
  if (options.question && !requested->problems.empty()) {
    return Error{ErrorCode::data, requested->problems.front().reason};
  }
  const auto on_refusal = options.question ? db::OnRefusal::change_nothing : db::OnRefusal::leave_out;
  const Result<DecisionSummary> summary =
      take_decisions(session, **state, *std::move(requested), options.by, on_refusal, options.trial, "");
  if (!summary.ok()) return summary.error();
  if (!summary->kept) return Error{ErrorCode::data, summary->refused.begin()->first};
  print_decisions(session, *summary);
  return 0;
}

Result<int> import_decisions(const ReviewOptions& options, const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  Result<ReadableState> reading = session.open_for_reading();
  if (!reading.ok()) return std::move(reading).error();
  Result<review::RequestedDecisions> requested =
      review::DecisionLookup(reading->store, reading->bank).of_list(options.file, session.files());
  if (!requested.ok()) return std::move(requested).error();
  const Result<DecisionSummary> summary =
      take_decisions(session, **state, *std::move(requested), options.by, db::OnRefusal::change_nothing,
                     options.trial, options.file);
  if (!summary.ok()) return summary.error();
  print_decisions(session, *summary);
  return summary->kept ? 0 : static_cast<int>(ErrorCode::data);
}

struct ReleaseOptions {
  std::int64_t iteration = 0;
  std::string by;
};

Result<int> release(const ReleaseOptions& options, const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  const std::string by = options.by.empty() ? session.user() : options.by;
  const Result<bool> released = (*state)->store.write([&](db::Store& store) {
    return db::Iterations(store).release(options.iteration, by, timestamp(session.clock().now()));
  });
  if (!released.ok()) return released.error();
  const std::string iteration = "iteration " + std::to_string(options.iteration);
  if (!*released) return Error{ErrorCode::no_input, iteration + " is not held"};
  session.out() << iteration << ": released; its deletions can be approved\n";
  return 0;
}

void add_release(CLI::App& review, Command& chosen) {
  auto options = std::make_shared<ReleaseOptions>();
  CLI::App* command = review.add_subcommand(
      "release", "Let the deletions of an iteration be approved that is held for listing too many");
  command->add_option("N", options->iteration, "The iteration")->required()->check(whole_number(1, most));
  command->add_option("--by", options->by, "Who says so (default: the user who calls)")
      ->type_name("NAME")
      ->check(audit_name());
  command->callback([options, &chosen] {
    chosen = {[options](const Session& session) { return release(*options, session); }, true, {}};
  });
}

void check_choice(const ReviewOptions& options) {
  if (options.question && !options.keeper) throw CLI::RequiredError("KEEPER");
  if (options.question && options.has_filter()) {
    throw CLI::ValidationError("ID KEEPER", "names one deletion; it takes no filter beside it");
  }
  if (!options.question && !options.has_filter()) throw CLI::RequiredError("ID KEEPER, or a filter");
}

void add_deciding_options(CLI::App& command, ReviewOptions& options) {
  command.add_option("--by", options.by, "Who decides (default: the user who calls)")
      ->type_name("NAME")
      ->check(audit_name());
  command.add_flag("--dry-run", options.trial, "Only tell what would be done");
}

void add_decision(CLI::App& review, Command& chosen, db::Decision decision, const std::string& meaning) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command = review.add_subcommand(std::string(name(decision)), meaning);
  command->add_option("ID", options->question, "The question to be deleted")->check(whole_number(1, most));
  command->add_option("KEEPER", options->keeper, "The question that stays")->check(whole_number(1, most));
  command->add_option("--iteration", options->filter.iteration, "Those that this iteration listed")
      ->check(whole_number(1, most));
  command->add_option("--confidence", options->filter.confidence, "Only safe, or only doubtful ones")
      ->type_name("C")
      ->check(CLI::IsMember({"safe", "doubtful"}));
  command->add_option("--reason", options->filter.reason, "Those with this reason, such as polarity")
      ->type_name("R");
  command
      ->add_option("--min-similarity", options->filter.min_similarity, "Those at least so alike, in percent")
      ->check(whole_number(1, 100));
  command->add_option("--note", options->note, "Why")->type_name("TEXT")->check(audit_note());
  add_deciding_options(*command, *options);
  command->callback([options, decision, &chosen] {
    check_choice(*options);
    chosen = {[=](const Session& session) { return decide(decision, *options, session); }, true, {}};
  });
}

void add_import(CLI::App& review, Command& chosen) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command = review.add_subcommand(
      "import", "Take the decisions of a list that export wrote, all of them or, if one is refused, none");
  command
      ->add_option(
          "FILE", options->file,
          "CSV, TSV or JSON lines with the column decision filled in: approve, reject, reset, or empty")
      ->required();
  add_deciding_options(*command, *options);
  command->callback([options, &chosen] {
    chosen = {[options](const Session& session) { return import_decisions(*options, session); },
              true,
              {options->file}};
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

}  // namespace qdedup::cli
