#include "cli/handed_command.h"

#include <cerrno>
#include <charconv>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/open_file_limit.h"
#include "base/version.h"
#include "cli/remote_lines.h"
#include "cli/spooled_input.h"
#include "cli/unix_user.h"

namespace qdedup::cli {
namespace {

using nlohmann::ordered_json;

struct OpenedInputs {
  std::vector<HandedInput> inputs;
  std::vector<FileDescriptor> files;
};

// The daemon's worker must not wait for a slow pipe, so that is read to its end here.
Result<FileDescriptor> open_standard_input() {
  if (!is_regular_file(STDIN_FILENO)) return spool(STDIN_FILENO);
  FileDescriptor copy(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));  // NOLINT(*-vararg)
  if (!copy.open()) return errno_error("standard input", errno);
  return copy;
}

Result<OpenedInputs> open_all(const std::vector<std::string>& paths) {
  OpenedInputs opened;
  for (const std::string& path : paths) {
    HandedInput input{path, 0};
    if (path == "-") {
      Result<FileDescriptor> file = open_standard_input();
      if (!file.ok()) return std::move(file).error();
      opened.files.push_back(*std::move(file));
    } else {
      // Opening a FIFO would wait; the daemon refuses it, as it is no regular file.
      FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // NOLINT(*-vararg)
      input.failure = file.open() ? 0 : errno;
      if (file.open()) opened.files.push_back(std::move(file));
    }
    opened.inputs.push_back(std::move(input));
  }
  return opened;
}

std::vector<int> descriptors_of(const std::vector<FileDescriptor>& files) {
  std::vector<int> descriptors;
  descriptors.reserve(files.size());
  for (const FileDescriptor& file : files) descriptors.push_back(file.number());
  return descriptors;
}

// Shows one line of the answer; the exit code when it is that.
std::optional<int> show(std::string_view line, Console& console) {
  if (line.empty()) return std::nullopt;
  const std::string_view content = line.substr(1);
  switch (line.front()) {
    case out_line:
      console.out() << content << '\n';
      break;
    case out_part:
      console.out() << content;
      break;
    case err_line:
      console.err() << content << '\n';
      break;
    case err_part:
      console.err() << content;
      break;
    case progress_line:
      if (const auto progress = parse_progress(content)) {
        console.show_progress(progress->stage, progress->done, progress->total, progress->unit);
      }
      break;
    case exit_line: {
      int code = 0;
      const auto read = std::from_chars(content.data(), content.data() + content.size(), code);
      if (read.ec == std::errc()) return code;
      break;
    }
    default:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::string to_json(const HandedCommand& command) {
  ordered_json inputs = ordered_json::array();
  for (const HandedInput& input : command.inputs) {
    inputs.push_back({{"path", input.path}, {"failure", input.failure}});
  }
  ordered_json json = {{"version", command.version},
                       {"name", command.name},
                       {"arguments", command.arguments},
                       {"config", nullptr},
                       {"user", command.user}};
  if (command.config) json["config"] = *command.config;
  json["inputs"] = std::move(inputs);
  return json.dump();
}

Result<HandedCommand> parse_handed_command(std::string_view text) {
  try {
    const auto json = nlohmann::json::parse(text);
    HandedCommand command;
    command.version = json.at("version").get<std::string>();
    command.name = json.at("name").get<std::string>();
    command.user = json.at("user").get<std::string>();
    command.arguments = json.at("arguments").get<std::vector<std::string>>();
    if (!json.at("config").is_null()) command.config = json.at("config").get<std::string>();
    for (const auto& input : json.at("inputs")) {
      command.inputs.push_back({input.at("path").get<std::string>(), input.at("failure").get<int>()});
    }
    return command;
  } catch (const nlohmann::json::exception& exception) {
    return Error{ErrorCode::data, std::string("the command cannot be understood: ") + exception.what()};
  }
}

Result<int> hand_over(DaemonClient& daemon, const CommandLine& line, std::vector<std::string> arguments,
                      const config::Settings& settings, Console& console) {
  raise_open_file_limit();  // all inputs are open at once
  Result<OpenedInputs> opened = open_all(line.command.inputs);
  if (!opened.ok()) return std::move(opened).error();
  HandedCommand handed{program_version(),         line.name,  std::move(arguments), std::nullopt,
                       std::move(opened->inputs), unix_user()};
  if (!line.options.config.empty()) handed.config = config::dump_settings(settings);
  std::string json;
  try {
    json = to_json(handed);
  } catch (const nlohmann::json::exception&) {
    return Error{ErrorCode::usage,
                 "while the daemon runs, names of files and all other arguments must be UTF-8"};
  }
  std::optional<int> exit_code;
  QDEDUP_TRY(
      daemon.post(handed_command_path, json, descriptors_of(opened->files), [&](std::string_view said) {
        if (const auto code = show(said, console)) exit_code = code;
      }));
  console.out().flush();
  if (!console.out()) return Error{ErrorCode::io, "standard output: cannot be written"};
  if (exit_code) return *exit_code;
  return Error{ErrorCode::io, "the daemon stopped before the command was done; run it again"};
}

}  // namespace qdedup::cli
