#include <algorithm>
#include <memory>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/iteration_summary.h"
#include "cli/json_output.h"
#include "cli/mining_summary.h"
#include "iteration/mining.h"
#include "logs/log_paths.h"

namespace qdedup::cli {
namespace {

struct MineOptions {
  std::vector<std::string> logs;
  bool strict = false;
};

// The logs named on the command line, else those that the config's globs match.
Result<std::vector<std::string>> logs_to_mine(const MineOptions& options, const Session& session) {
  if (std::ranges::find(options.logs, "-") != options.logs.end()) {
    return Error{ErrorCode::usage,
                 "standard input cannot be mined: a log must be a file, so that it is recognised next time"};
  }
  if (!options.logs.empty()) return options.logs;
  if (session.settings().logs.paths.empty()) {
    return Error{ErrorCode::usage, "name the logs to mine, or a config with [logs] paths"};
  }
  std::vector<std::string> paths = logs::matching_paths(session.settings().logs.paths);
  if (paths.empty()) return Error{ErrorCode::no_input, "no file matches [logs] paths"};
  return paths;
}

// What mining gave, and the state that it was mined into.
struct Mined {
  std::shared_ptr<WritableState> state;
  iteration::MiningReport report;
};

Result<Mined> open_and_mine(const MineOptions& options, const Session& session) {
  const Result<std::vector<std::string>> paths = logs_to_mine(options, session);
  if (!paths.ok()) return paths.error();
  Result<std::shared_ptr<WritableState>> state = session.open_for_writing();
  if (!state.ok()) return std::move(state).error();
  std::shared_ptr<void> alone = session.host().begin_mining();
  Result<iteration::MiningReport> report = iteration::mine_logs(
      (*state)->store, *paths, session.files(), session.settings(), session.clock(), session.progress());
  alone.reset();
  if (!report.ok()) return std::move(report).error();
  tell_log_troubles(session.err(), *report, session.quiet());
  return Mined{*std::move(state), *std::move(report)};
}

Result<int> exit_code(const iteration::MiningReport& report, bool strict) {
  if (std::optional<Error> problem = problem_of(report)) return *std::move(problem);
  return batch_exit_code(report.totals.rejected_total() > 0, strict);
}

Result<int> run_mine(const MineOptions& options, const Session& session) {
  Result<Mined> mined = open_and_mine(options, session);
  if (!mined.ok()) return std::move(mined).error();
  if (session.json()) {
    print_json(session.out(), mining_json(mined->report));
  } else {
    print_line_totals(session.out(), mined->report.totals);
  }
  return exit_code(mined->report, options.strict);
}

Result<int> run_mine_and_iterate(const MineOptions& options, const Session& session) {
  Result<Mined> mined = open_and_mine(options, session);
  if (!mined.ok()) return std::move(mined).error();
  const auto iteration = iterate(session, *mined->state);
  if (!iteration.ok()) return iteration.error();
  if (session.json()) {
    print_json(session.out(),
               {{"mine", mining_json(mined->report)}, {"iteration", iteration_json(*iteration)}});
  } else {
    session.out() << "mine      ";
    print_line_totals(session.out(), mined->report.totals);
    print_iteration(session.out(), *iteration);
  }
  return exit_code(mined->report, options.strict);
}

void add(CLI::App& app, Command& chosen, const std::string& name, const std::string& what,
         Result<int> (*run)(const MineOptions&, const Session&)) {
  auto options = std::make_shared<MineOptions>();
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("LOG", options->logs, "Logs: plain, .gz or .zst (default: those of the config)");
  command->add_flag("--strict", options->strict, "Exit with 65 when a line was rejected");
  command->callback([options, &chosen, run] {
    chosen = {[options, run](const Session& session) { return run(*options, session); }, true, options->logs};
  });
}

}  // namespace

void add_mine_command(CLI::App& app, Command& chosen) {
  add(app, chosen, "mine", "Read search logs as far as they go, and keep the selected result lists",
      run_mine);
}

void add_run_command(CLI::App& app, Command& chosen) {
  add(app, chosen, "run", "mine, then iterate, then a summary", run_mine_and_iterate);
}

}  // namespace qdedup::cli
