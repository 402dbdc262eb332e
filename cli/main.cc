#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/terminal.h"

namespace qdedup::cli {
namespace {

int run(const std::vector<std::string>& arguments) {
  Terminal plain(true);
  const CommandLine line = parse_command_line(arguments, plain);
  if (line.exit_code) return *line.exit_code;
  Terminal terminal(line.options.quiet);
  const Result<config::Settings> settings = settings_of(line.options);
  if (!settings.ok()) {
    terminal.report(settings.error());
    return static_cast<int>(settings.error().code);
  }
  const SystemClock clock;
  const logs::DiskFiles files;
  return run_command(line.command,
                     Session(*settings, line.options, clock, files, terminal, open_writable_state));
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
