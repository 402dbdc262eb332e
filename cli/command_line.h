#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/session.h"

namespace qdedup::cli {

// What the arguments of `qdedup` ask for.
struct CommandLine {
  std::string name;  // of the command
  Command command;
  GlobalOptions options;
  std::optional<int> exit_code;  // when there is nothing to run: help was printed, or what is wrong
};

// `arguments` without the program's name. Prints help, versions and usage errors on the console.
CommandLine parse_command_line(std::vector<std::string> arguments, Console& console);

// Runs the command; errors are reported on the session's console. Answers the exit code.
int run_command(const Command& command, const Session& session);

}  // namespace qdedup::cli
