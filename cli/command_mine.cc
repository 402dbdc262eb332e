#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <ostream>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/mined_logs.h"
#include "cli/summaries.h"
#include "db/evidence.h"
#include "iteration/draft.h"
#include "iteration/mining.h"
#include "logs/spooled_file.h"
#include "miner/score_histogram.h"

namespace qdedup::cli {
namespace {

struct MineOptions {
  std::vector<std::string> logs;
  bool strict = false;
  bool trial = false;
};

// The logs named on the command line, else those that the config's globs match.
Result<std::vector<std::string>> logs_to_mine(const MineOptions& options, const CommandContext& context) {
  if (std::ranges::find(options.logs, "-") != options.logs.end()) {
    return Error{ErrorCode::usage,
                 "standard input cannot be mined: a log must be a file, so that it is recognised next time"};
  }
  for (const std::string& log : options.logs) {
    if (logs::is_descriptor(log)) {
      return Error{ErrorCode::usage,
                   log + ": names a descriptor; a log must be a file, so that it is recognised next time"};
    }
  }
  if (!options.logs.empty()) return options.logs;
  if (context.settings().logs.paths.empty()) {
    return Error{ErrorCode::usage, "name the logs to mine, or a config with [logs] paths"};
  }
  const std::vector<std::string>& globs = context.settings().logs.paths;
  QDEDUP_ASSIGN_OR_RETURN(std::vector<std::string> paths, logs::matching_paths(globs));
  if (!context.quiet()) {
    for (const std::string& glob : logs::globs_without_files(globs))
      context.err() << "qdedup: " << Verbatim{escaped(glob)} << ": " << no_file_matches << '\n';
  }
  if (paths.empty()) return Error{ErrorCode::no_input, "no file matches [logs] paths"};
  return paths;
}

// Mines these logs under the paths that are the same in every folder, and reports of them as they were named.
Result<iteration::MiningReport> mine(db::StoreWriter& writer, const std::vector<std::string>& named,
                                     const MineOptions& options, const CommandContext& context) {
  std::vector<std::string> paths = named;
  if (!options.logs.empty()) std::ranges::transform(paths, paths.begin(), path_everywhere);
  Result<iteration::MiningReport> report = iteration::mine_logs(
      writer, paths, context.files(), context.settings(), context.clock(), context.progress());
  for (std::size_t i = 0; report.ok() && i < named.size(); ++i) {
    iteration::MinedLog& log = report->logs[i];
    log.path = named[i];
    if (log.problem && log.problem->message.starts_with(paths[i]))
      log.problem->message.replace(0, paths[i].size(), named[i]);
  }
  return report;
}

Result<iteration::MiningReport> open_and_mine(const MineOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> paths, logs_to_mine(options, context));
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing(Mines::yes, Makes::state));
  QDEDUP_TRY(
      state->store.write([&](db::Store& store) { return iteration::expect_bank_here(store, state->bank); }));
  Result<iteration::MiningReport> report = mine(state->store, paths, options, context);
  if (report.ok()) {
    const LineTotals& totals = report->totals;
    context.note_done({{"lines", totals.lines},
                       {"selected", totals.selected},
                       {"unselected", totals.unselected},
                       {"rejected", totals.rejected_total()}});
    report_log_problems(context.console(), *report, context.settings(), context.quiet());
  }
  return report;
}

Result<int> exit_code(const iteration::MiningReport& report, bool strict) {
  if (std::optional<Error> problem = problem_of(report)) return *std::move(problem);
  if (report.totals.is_wrong_file()) return Error{ErrorCode::data, "none of the lines could be used"};
  return batch_exit_code(report.totals.rejected_total() > 0, strict);
}

// A folder of its own, which goes with what points to it.
Result<std::shared_ptr<const std::string>> scratch_folder() {
  const std::string parent = logs::temporary_folder();
  std::string path = parent + "/qdedup-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return logs::no_temporary_file(parent, errno);
  return std::shared_ptr<const std::string>(new std::string(std::move(path)), [](const std::string* folder) {
    std::error_code failure;
    std::filesystem::remove_all(*folder, failure);
    delete folder;
  });
}

// Mines all of the logs as if nothing had been mined of them, and shows what the settings select.
Result<int> try_mining(const MineOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> paths, logs_to_mine(options, context));
  QDEDUP_ASSIGN_OR_RETURN(const auto scratch, scratch_folder());
  QDEDUP_ASSIGN_OR_RETURN(const auto state, db::open_writable_state(db::StateFolder(*scratch)));
  QDEDUP_ASSIGN_OR_RETURN(const iteration::MiningReport mined, mine(state->store, paths, options, context));
  report_log_problems(context.console(), mined, context.settings(), context.quiet());
  QDEDUP_ASSIGN_OR_RETURN(db::Store store, db::Store::open(db::StateFolder(*scratch), db::Access::read_only));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::ScoreCount> scores,
                          db::Evidence(store).scores(miner::ScoreHistogram::buckets));
  if (context.json()) {
    Json json = mining_json(mined);
    json["dry_run"] = true;
    json["scores"] = scores_json(scores);
    print_json(context.out(), json);
  } else {
    context.words() << "dry run, nothing is stored: ";
    print_line_totals(context.words(), mined.totals);
    if (!scores.empty()) print_scores(context.words(), scores);
  }
  return exit_code(mined, options.strict);
}

Result<int> run_mine(const MineOptions& options, const CommandContext& context) {
  if (options.trial) return try_mining(options, context);
  QDEDUP_ASSIGN_OR_RETURN(const iteration::MiningReport mined, open_and_mine(options, context));
  if (context.json()) {
    print_json(context.out(), mining_json(mined));
  } else {
    print_line_totals(context.words(), mined.totals);
  }
  return exit_code(mined, options.strict);
}

Result<int> run_mine_and_iterate(const MineOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const iteration::MiningReport mined, open_and_mine(options, context));
  if (!context.json()) {
    context.words() << "mine      ";
    print_line_totals(context.words(), mined.totals);
  }
  // With a lease of its own, so that the daemon follows the logs again.
  const auto iteration = iterate(context);
  if (context.json()) {
    Json json = {{"mine", mining_json(mined)}};
    if (iteration.ok()) json["iteration"] = iteration_json(*iteration);
    print_json(context.out(), json);
  } else if (iteration.ok()) {
    print_iteration(context.words(), *iteration);
  }
  return iteration.ok() ? exit_code(mined, options.strict) : iteration.error();
}

CLI::App& add(CLI::App& app, Command& chosen, const std::string& name, const std::string& what,
              const std::shared_ptr<MineOptions>& options,
              Result<int> (*run)(const MineOptions&, const CommandContext&)) {
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("LOG", options->logs, "Logs: plain, .gz or .zst (default: those of the config)");
  command->add_flag("--strict", options->strict, "Exit with 65 when a line was rejected");
  command->callback([options, &chosen, run] { chosen = {with_options(options, run), !options->trial}; });
  return *command;
}

Result<int> run_iterate(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto iteration, iterate(context));
  show_iteration(context, iteration);
  return 0;
}

}  // namespace

void add_mine_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<MineOptions>();
  add(app, chosen, "mine", "Read search logs as far as they go, and keep the selected result lists", options,
      run_mine)
      .add_flag("--dry-run", options->trial,
                "Only show what the settings select of all of the logs, and their scores");
}

void add_run_command(CLI::App& app, Command& chosen) {
  add(app, chosen, "run", "mine, then iterate, then a summary", std::make_shared<MineOptions>(),
      run_mine_and_iterate);
}

void add_iterate_command(CLI::App& app, Command& chosen) {
  app.add_subcommand("iterate", "Run one iteration over the evidence not yet consumed")->callback([&chosen] {
    chosen = {run_iterate, true};
  });
}

}  // namespace qdedup::cli
