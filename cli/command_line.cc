#include "cli/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/version.h"
#include "cli/commands.h"

namespace qdedup::cli {
namespace {

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_option("--config", options.config, "Config file (TOML); without it the defaults hold")
      ->type_name("FILE");
  app.add_option("--state", options.state, "Folder of the state (default: ./qdedup-data, or the config's)")
      ->type_name("DIR");
  app.add_flag("--json", options.json, "Print results as JSON");
  app.add_flag("--quiet", options.quiet, "No progress, and only errors on standard error");
  app.set_version_flag("--version", "qdedup " + program_version());
}

void add_commands(CLI::App& app, Command& chosen, GlobalOptions& options) {
  add_import_command(app, chosen);
  add_mine_command(app, chosen);
  add_iterate_command(app, chosen);
  add_run_command(app, chosen);
  add_sweep_command(app, chosen);
  add_iterations_command(app, chosen);
  add_export_command(app, chosen);
  add_diff_command(app, chosen);
  add_review_command(app, chosen);
  add_applied_command(app, chosen);
  add_explain_command(app, chosen);
  add_similar_command(app, chosen);
  add_check_command(app, chosen);
  add_evaluate_command(app, chosen);
  add_status_command(app, chosen);
  add_verify_command(app, chosen);
  add_backup_command(app, chosen);
  add_config_command(app, chosen, options);
}

int refuse(const CLI::App& app, const CLI::RequiredError& error, Console& console) {
  if (app.get_subcommands().empty() && app.remaining_size() > 0) {
    console.report({ErrorCode::usage, "unknown command \"" + app.remaining().front() +
                                          "\"; `qdedup --help` lists the commands"});
  } else {
    app.exit(error, console.out(), console.err());
  }
  return static_cast<int>(ErrorCode::usage);
}

}  // namespace

CommandLine parse_command_line(std::vector<std::string> arguments, Console& console) {
  CLI::App app("Finds duplicate questions of a question bank in the logs of its search engine.", "qdedup");
  app.require_subcommand(1);
  app.fallthrough();
  CommandLine line;
  add_global_options(app, line.options);
  add_commands(app, line.command, line.options);
  std::ranges::reverse(arguments);  // as CLI11 takes them
  try {
    app.parse(std::move(arguments));
    line.name = app.get_subcommands().front()->get_name();
  } catch (const CLI::RequiredError& error) {
    line.exit_code = refuse(app, error, console);
  } catch (const CLI::ParseError& error) {
    const bool helped = app.exit(error, console.out(), console.err()) == 0;
    line.exit_code = helped ? EXIT_SUCCESS : static_cast<int>(ErrorCode::usage);
  }
  return line;
}

int run_command(const Command& command, const Session& session) {
  const Result<int> done = command.run(session);
  session.out().flush();
  if (done.ok() && !session.out()) {
    session.console().report({ErrorCode::io, "standard output: cannot be written"});
    return static_cast<int>(ErrorCode::io);
  }
  if (done.ok()) return *done;
  session.console().report(done.error());
  return static_cast<int>(done.error().code);
}

}  // namespace qdedup::cli
