#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/daemon_client.h"

namespace qdedup::cli {

// Where the daemon takes commands, on its unix socket.
inline constexpr const char* handed_command_path = "/api/command";

// A file that a command reads: open here, or why it is not.
struct HandedInput {
  std::string path;  // as spelled; "-" for standard input
  int failure = 0;   // errno of opening it; 0: its descriptor comes with the request
};

// A command that the tool hands to the daemon. The descriptors of the inputs that are open come with it, in
// their order.
struct HandedCommand {
  std::string version;                 // of the tool
  std::string name;                    // of the command, for people
  std::vector<std::string> arguments;  // without the program's name
  std::optional<std::string> config;   // the tool's --config, as TOML in full; none: the daemon's own holds
  std::vector<HandedInput> inputs;
  std::string user;  // who called
};

// A command as the body of its request, in JSON, and back. Parsing fails with `data` on anything else. Making
// JSON throws nlohmann::json's exception where a string is not UTF-8.
std::string to_json(const HandedCommand& command);
Result<HandedCommand> parse_handed_command(std::string_view text);

// Hands the command of `line` to the daemon and shows what it answers, as if it had run here. `arguments` are
// those of `line`, `settings` what its --config says. Answers the exit code.
Result<int> hand_over(DaemonClient& daemon, const CommandLine& line, std::vector<std::string> arguments,
                      const config::Settings& settings, Console& console);

}  // namespace qdedup::cli
