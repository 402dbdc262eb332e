#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <boost/system/system_error.hpp>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/sudden_end.h"
#include "base/version.h"
#include "config/settings.h"
#include "daemon/journal.h"
#include "daemon/service.h"
#include "db/state_folder.h"
#include "refine/normal_forms.h"

namespace qdedup::daemon {
namespace {

struct Options {
  std::string config;
  std::string state;
  std::string log_level = "info";
};

int failed(Journal& log, const Error& error) {
  log.critical("{}", error.message);
  return static_cast<int>(error.code);
}

// Destroys nothing: that could wait for a thread that waits for the loop.
[[noreturn]] void end_now(Journal& log, int code) {
  log.flush();
  std::_Exit(code);
}

[[noreturn]] void end_now(Journal& log, const std::exception& exception) noexcept {
  end_now(log, failed(log, exception_error(exception)));
}

void report(const Error& error) { std::cerr << "qdedupd: " << error.message << '\n'; }

int serve(const Options& options) {
  const Result<std::shared_ptr<Journal>> log = open_journal(options.log_level);
  if (!log.ok()) {
    report(log.error());
    return static_cast<int>(log.error().code);
  }
  const auto load = [options] { return config::load_settings(options.config, options.state); };
  Result<config::Settings> settings = load();
  if (!settings.ok()) return failed(**log, settings.error());
  if (const auto refused = db::refuse_state_files(db::StateFolder(settings->state.folder), report))
    return *refused;
  raise_open_file_limit();
  (void)refine::icu_normalise({});  // ICU would remember for good that there was no memory for its tables
  const SystemClock clock;
  const Result<std::unique_ptr<Service>> service = Service::start(*std::move(settings), load, clock, *log);
  if (!service.ok()) return failed(**log, service.error());
  // Does not wait for work that is still running: it is one transaction, which will not be committed.
  try {
    const bool all_done = (*service)->run();
    const auto& reason = (*service)->restart_reason();
    const int code = reason ? failed(**log, *reason) : EXIT_SUCCESS;
    if (!all_done) end_now(**log, code);
    return code;
  } catch (const std::exception& exception) {
    end_now(**log, exception);
  }
}

int run(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // makes exceeding the file size limit an ordinary write error
  std::signal(SIGPIPE, SIG_IGN);  // the same for standard error that nobody reads any more
  std::signal(SIGHUP, SIG_IGN);   // too early for a reload; the service handles it later
  if (const auto refused = db::refuse_state_files(db::StateFolder(config::Settings().state.folder), report))
    return *refused;
  CLI::App app("Follows the logs of a search engine and finds the duplicate questions of its bank.",
               "qdedupd");
  Options options;
  // The value of a variable that a script did not set must not mean the defaults.
  const CLI::Validator not_empty(
      [](const std::string& value) { return value.empty() ? "must not be empty" : ""; }, "");
  app.add_option("--config", options.config, "Config file (TOML); without it the defaults hold")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--state", options.state, "Folder of the state (default: ./qdedup-data, or the config's)")
      ->type_name("DIR")
      ->check(not_empty);
  app.add_option("--log-level", options.log_level, "debug, info, warning or error")->type_name("LEVEL");
  app.set_version_flag("--version", "qdedupd " + program_version());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (app.exit(error) != 0) return static_cast<int>(ErrorCode::usage);
    return std::cout.flush() ? EXIT_SUCCESS : static_cast<int>(ErrorCode::io);
  }
  return serve(options);
}

}  // namespace
}  // namespace qdedup::daemon

int main(int argc, char** argv) {
  qdedup::reserve_standard_descriptors();
  qdedup::end_at_once_on_shortage("qdedupd");
  qdedup::Error error{};
  try {
    return qdedup::daemon::run(argc, argv);
  } catch (const boost::system::system_error& exception) {  // not derived from std::system_error
    error = qdedup::exception_error(std::system_error(exception.code()));
  } catch (const std::exception& exception) {
    error = qdedup::exception_error(exception);
  }
  std::cerr << "qdedupd: " << error.message << '\n';
  return static_cast<int>(error.code);
}
