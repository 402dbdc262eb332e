#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "base/open_file_limit.h"
#include "base/version.h"
#include "cli/session.h"
#include "daemon/journal.h"
#include "daemon/service.h"

namespace qdedup::daemon {
namespace {

struct Options {
  cli::GlobalOptions global;
  std::string log_level = "info";
};

int failed(spdlog::logger& log, const Error& error) {
  log.critical("{}", error.message);
  log.flush();
  return static_cast<int>(error.code);
}

int serve(const Options& options) {
  const Result<std::shared_ptr<spdlog::logger>> log = open_journal(options.log_level);
  if (!log.ok()) {
    std::cerr << "qdedupd: " << log.error().message << '\n';
    return static_cast<int>(log.error().code);
  }
  const auto load = [global = options.global] { return cli::settings_of(global); };
  Result<config::Settings> settings = load();
  if (!settings.ok()) return failed(**log, settings.error());
  raise_open_file_limit();  // commands bring theirs along
  const SystemClock clock;
  const Result<std::unique_ptr<Service>> service = Service::start(*std::move(settings), load, clock, *log);
  if (!service.ok()) return failed(**log, service.error());
  // What is still at work is not waited for: it is one transaction, which is not committed.
  try {
    const bool all_done = (*service)->run();
    (*log)->flush();
    if (!all_done) std::_Exit(EXIT_SUCCESS);
    return EXIT_SUCCESS;
  } catch (const std::exception& exception) {
    std::_Exit(failed(**log, {ErrorCode::internal, std::string("internal error: ") + exception.what()}));
  }
}

int run(int argc, char** argv) {
  CLI::App app("Follows the logs of a search engine and finds the duplicate questions of its bank.",
               "qdedupd");
  Options options;
  app.add_option("--config", options.global.config, "Config file (TOML); without it the defaults hold")
      ->type_name("FILE");
  app.add_option("--state", options.global.state,
                 "Folder of the state (default: ./qdedup-data, or the config's)")
      ->type_name("DIR");
  app.add_option("--log-level", options.log_level, "debug, info, warning or error")->type_name("LEVEL");
  app.set_version_flag("--version", "qdedupd " + program_version());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : static_cast<int>(ErrorCode::usage);
  }
  return serve(options);
}

}  // namespace
}  // namespace qdedup::daemon

int main(int argc, char** argv) {
  try {
    return qdedup::daemon::run(argc, argv);
  } catch (const std::exception& exception) {
    std::cerr << "qdedupd: internal error: " << exception.what() << '\n';
  }
  return static_cast<int>(qdedup::ErrorCode::internal);
}
