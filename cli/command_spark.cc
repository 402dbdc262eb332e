#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/summaries.h"
#include "db/iterations.h"
#include "iteration/draft.h"
#include "iteration/lake_iteration.h"

namespace qdedup::cli {
namespace {

Result<int> run_plan(const std::string& folder, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing(Mines::no, Makes::state));
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const spark::Plan plan,
                          iteration::lake_plan(iteration_context(context, reading, *state)));
  // There is no import into a lake that could say so: its texts are read with every run.
  QDEDUP_ASSIGN_OR_RETURN(const auto before, iteration::last_options(reading));
  say_what_is_read_anew(context, "lake", before, plan.text);
  QDEDUP_TRY(
      write_output(folder + "/plan.jsonl", context.folder(), context.out(), [&](std::ostream& out) -> Status {
        out << spark::text_of(plan);
        return {};
      }));
  if (context.json()) {
    print_json(context.out(), {{"plan", folder + "/plan.jsonl"},
                               {"open", plan.listed.open.size()},
                               {"rejected", plan.listed.rejected.size()},
                               {"logs", plan.logs.size()}});
  } else {
    context.words() << "plan      " << Verbatim{folder}
                    << "/plan.jsonl: " << counted(plan.listed.open.size(), "open deletion") << ", "
                    << grouped(plan.listed.rejected.size()) << " rejected, "
                    << counted(plan.logs.size(), "log") << " consumed\n";
  }
  return 0;
}

Result<int> run_commit(const std::string& folder, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(spark::Draft draft, iteration::read_lake_draft(folder, context.files()));
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing(Mines::no, Makes::state));
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  const bool is_sweep = draft.head.is_sweep;
  const LineTotals lines = iteration::line_totals(draft.logs);
  QDEDUP_ASSIGN_OR_RETURN(
      const iteration::StoredIteration iteration,
      iteration::commit_lake_draft(iteration_context(context, reading, *state), std::move(draft)));
  note_iteration(context, iteration);
  if (!context.json() && !is_sweep) {
    context.words() << "mine      ";
    print_line_totals(context.words(), lines);
  }
  show_iteration(context, iteration);
  return 0;
}

void add(CLI::App& parent, Command& chosen, const std::string& name, const std::string& what,
         const std::string& folder_help, Result<int> (*run)(const std::string&, const CommandContext&)) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = parent.add_subcommand(name, what);
  command->add_option("DIR", *folder, folder_help)->required();
  command->callback([folder, run, &chosen] { chosen = {with_options(folder, run), true}; });
}

}  // namespace

void add_spark_command(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "spark", "Iterations over a bank and logs in a data lake, decided by a Spark cluster (doc/spark.md)");
  command->require_subcommand(1);
  add(*command, chosen, "plan", "Write what qdedup-spark needs to know of this state",
      "Folder for the plan, which must exist", run_plan);
  add(*command, chosen, "commit", "Make an iteration of what qdedup-spark wrote", "Folder of its output",
      run_commit);
}

}  // namespace qdedup::cli
