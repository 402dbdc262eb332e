#include <memory>
#include <utility>

#include "cli/audit_text.h"
#include "cli/commands.h"
#include "cli/decision_summary.h"

namespace qdedup::cli {
namespace {

struct AppliedOptions {
  std::string file;
  std::string by;
  bool strict = false;
};

Result<int> mark_applied(const AppliedOptions& options, const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  Result<ReadableState> reading = session.open_for_reading();
  if (!reading.ok()) return std::move(reading).error();
  Result<review::RequestedDecisions> requested =
      review::DecisionLookup(reading->store, reading->bank).applied(options.file, session.files());
  if (!requested.ok()) return std::move(requested).error();
  const Result<DecisionSummary> summary = take_decisions(session, **state, *std::move(requested), options.by,
                                                         db::OnRefusal::leave_out, false, options.file);
  if (!summary.ok()) return summary.error();
  print_decisions(session, *summary);
  return batch_exit_code(!summary->refused.empty(), options.strict);
}

}  // namespace

void add_applied_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<AppliedOptions>();
  CLI::App* command =
      app.add_subcommand("applied", "Mark approved deletions as carried out in the search index");
  command->add_option("FILE", options->file, "The exported list of them, or their ids, one a line")
      ->required();
  command->add_option("--by", options->by, "Who says so (default: the user who calls)")
      ->type_name("NAME")
      ->check(audit_name());
  command->add_flag("--strict", options->strict, "Exit with 65 when a row was refused");
  command->callback([options, &chosen] {
    chosen = {
        [options](const Session& session) { return mark_applied(*options, session); }, true, {options->file}};
  });
}

}  // namespace qdedup::cli
