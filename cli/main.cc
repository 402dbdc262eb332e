#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "base/version.h"
#include "cli/commands.h"

namespace qdedup::cli {
namespace {

void report(const Error& error) {
  std::size_t begin = 0;
  while (begin <= error.message.size()) {
    const std::size_t end = std::min(error.message.find('\n', begin), error.message.size());
    std::cerr << "qdedup: " << error.message.substr(begin, end - begin) << '\n';
    begin = end + 1;
  }
}

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
  add_iterations_command(app, chosen);
  add_export_command(app, chosen);
  add_explain_command(app, chosen);
  add_evaluate_command(app, chosen);
  add_status_command(app, chosen);
  add_config_command(app, chosen, options);
}

int execute(const Command& command, const GlobalOptions& options) {
  const Result<Session> session = Session::begin(options);
  if (!session.ok()) {
    report(session.error());
    return static_cast<int>(session.error().code);
  }
  const Result<int> done = command(*session);
  std::cout.flush();
  if (done.ok() && !std::cout) {
    report({ErrorCode::io, "standard output: cannot be written"});
    return static_cast<int>(ErrorCode::io);
  }
  if (done.ok()) return *done;
  report(done.error());
  return static_cast<int>(done.error().code);
}

int run(int argc, char** argv) {
  CLI::App app("Finds duplicate questions of a question bank in the logs of its search engine.", "qdedup");
  app.require_subcommand(1);
  app.fallthrough();
  GlobalOptions options;
  Command chosen;
  add_global_options(app, options);
  add_commands(app, chosen, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    if (app.get_subcommands().empty() && app.remaining_size() > 0) {
      report({ErrorCode::usage,
              "unknown command \"" + app.remaining().front() + "\"; `qdedup --help` lists the commands"});
    } else {
      app.exit(error);
    }
    return static_cast<int>(ErrorCode::usage);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : static_cast<int>(ErrorCode::usage);
  }
  return execute(chosen, options);
}

}  // namespace
}  // namespace qdedup::cli

int main(int argc, char** argv) {
  try {
    return qdedup::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "qdedup: out of memory; nothing that was committed is lost\n";
  } catch (const std::exception& exception) {
    std::cerr << "qdedup: internal error: " << exception.what() << '\n';
  }
  return static_cast<int>(qdedup::ErrorCode::internal);
}
