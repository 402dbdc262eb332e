#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/handed_command.h"
#include "cli/terminal.h"

namespace qdedup::cli {
namespace {

int run_afterwards(const CommandLine& line, const config::Settings& settings, Console& console) {
  if (!line.command.afterwards) return 0;
  const SystemClock clock;
  ToolHost host;
  return run_command({line.command.afterwards, false, {}},
                     Session(settings, line.options, clock, console, host));
}

Result<int> run_here_or_there(const CommandLine& line, const std::vector<std::string>& arguments,
                              Console& console) {
  const Result<config::Settings> settings = settings_of(line.options);
  if (!settings.ok()) return settings.error();
  if (line.command.changes_state) {
    Result<std::optional<DaemonClient>> daemon =
        DaemonClient::connect(db::StateFolder(settings->state.folder).socket_path());
    if (!daemon.ok()) return std::move(daemon).error();
    if (daemon->has_value()) {
      const Result<int> done = hand_over(**daemon, line, arguments, *settings, console);
      return done.ok() && *done == 0 ? run_afterwards(line, *settings, console) : done;
    }
  }
  const SystemClock clock;
  ToolHost host;
  const int done = run_command(line.command, Session(*settings, line.options, clock, console, host));
  return done == 0 ? run_afterwards(line, *settings, console) : done;
}

int run(const std::vector<std::string>& arguments) {
  Terminal plain(true);
  const CommandLine line = parse_command_line(arguments, plain);
  if (line.exit_code) return *line.exit_code;
  Terminal terminal(line.options.quiet);
  const Result<int> done = run_here_or_there(line, arguments, terminal);
  if (done.ok()) return *done;
  terminal.report(done.error());
  return static_cast<int>(done.error().code);
}

}  // namespace
}  // namespace qdedup::cli

int main(int argc, char** argv) {
  try {
    return qdedup::cli::run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    std::cerr << "qdedup: out of memory; nothing that was committed is lost\n";
  } catch (const std::exception& exception) {
    std::cerr << "qdedup: internal error: " << exception.what() << '\n';
  }
  return static_cast<int>(qdedup::ErrorCode::internal);
}
