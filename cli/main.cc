#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/sudden_end.h"
#include "base/user_name.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/daemon_client.h"
#include "cli/translation.h"
#include "config/settings.h"
#include "db/state_folder.h"
#include "logs/spooled_file.h"

namespace qdedup::cli {
namespace {

Result<config::Settings> settings_of(DaemonClient& daemon) {
  QDEDUP_ASSIGN_OR_RETURN(const DaemonClient::Answer answer, daemon.get("/api/settings", daemon_patience));
  Result<config::Settings> settings = config::parse_settings(answer.body, "the daemon's config");
  if (answer.status == 200 && settings.ok()) return settings;
  return Error{ErrorCode::busy, "the daemon is another version of qdedup than this; restart the daemon"};
}

// The settings name files that the command reads with its caller's rights. So they must belong to a service
// or to the caller, not to any other person.
Status expect_trusted_settings(const DaemonClient& daemon, const std::string& state) {
  constexpr uid_t max_system_user = 999;  // Debian's policy, 9.2.2
  if (daemon.user() <= max_system_user || daemon.user() == ::geteuid()) return {};
  return Error{ErrorCode::usage, state + ": its daemon runs as " + unix_user(daemon.user()) +
                                     ", who may not choose what you read: give --config FILE"};
}

// Somebody may put a socket where another state has its own. The daemon may see other paths than this process
// does.
Status expect_same_state(const std::string& of_daemon, const std::string& state) {
  std::error_code failure;
  if (!std::filesystem::path(of_daemon).is_absolute()) return {};
  if (std::filesystem::equivalent(of_daemon, state, failure) || failure) return {};
  return Error{ErrorCode::usage, state + ": its socket is that of the state " + of_daemon + "; remove it"};
}

// If a daemon is running, a command without a config uses the daemon's. Returns whether one is.
Result<bool> ask_daemon_for_settings(const CommandLine& line, config::Settings& settings) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<DaemonClient> daemon,
                          DaemonClient::connect(db::StateFolder(settings.state.folder).socket_path()));
  if (!daemon || !line.options.config.empty()) return daemon.has_value();
  QDEDUP_TRY(expect_trusted_settings(*daemon, settings.state.folder));
  QDEDUP_ASSIGN_OR_RETURN(config::Settings own, settings_of(*daemon));
  QDEDUP_TRY(expect_same_state(own.state.folder, settings.state.folder));
  own.state.folder = settings.state.folder;
  own.state.is_named = settings.state.is_named;
  settings = std::move(own);
  return true;
}

// Whether the rights of this user keep it from the daemon's socket.
bool may_not_ask_daemon(const config::Settings& settings) {
  const std::string socket = db::StateFolder(settings.state.folder).socket_path();
  return ::faccessat(AT_FDCWD, socket.c_str(), W_OK, AT_EACCESS) != 0 && errno == EACCES;
}

// Who may read the state but not ask its daemon goes by the defaults. Pipes are read to their end first:
// named ones, as only files can be opened by their names, and beside a daemon standard input, so that nobody
// waits for it.
Status adapt_to_daemon(const CommandLine& line, config::Settings& settings, Console& console) {
  const Command& command = line.command;
  Result<bool> beside_daemon(false);
  if (command.changes_state || (command.goes_by_rules && line.options.config.empty()))
    beside_daemon = ask_daemon_for_settings(line, settings);
  if (!beside_daemon.ok()) {
    if (command.changes_state || !may_not_ask_daemon(settings)) return std::move(beside_daemon).error();
    console.report(beside_daemon.error());
    console.err() << "qdedup: goes by the default settings, as the daemon does not tell its own; give "
                     "--config FILE for others\n";
  }
  std::vector<std::string> pipes = command.inputs;
  if (!command.changes_state || !*beside_daemon) std::erase(pipes, "-");
  return logs::spool_pipes(pipes);
}

// What to know about a command that was interrupted.
std::string advice_after(const std::string& command) {
  if (command == "import") return "the rows stored so far stay; import the same files again to their end";
  if (command == "mine" || command == "run")
    return "what was stored stays; the same command goes on from there";
  if (command == "iterate" || command == "sweep") return "nothing of it was stored; run it again";
  return "";
}

std::string interruption;  // NOLINT(*-avoid-non-const-global-variables): for the handler of a signal

extern "C" void end_interrupted(int signal) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, interruption.data(), interruption.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void say_when_interrupted(const CommandLine& line, const Translation* chinese) {
  const std::string advice = advice_after(line.name);
  if (advice.empty() || line.options.quiet || !line.command.changes_state) return;
  interruption = "\nqdedup: interrupted: " + advice + "\n";
  if (chinese != nullptr) interruption = chinese->messages(interruption);
  // In the background of a script it is ignored.
  if (std::signal(SIGINT, end_interrupted) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

Result<int> run_command_line(const CommandLine& line, Console& console) {
  QDEDUP_ASSIGN_OR_RETURN(config::Settings settings,
                          config::load_settings(line.options.config, line.options.state));
  QDEDUP_TRY(adapt_to_daemon(line, settings, console));
  const SystemClock clock;
  return run_command(line.command,
                     CommandContext(std::move(settings), line.options, line.name, clock, console));
}

int run(const std::vector<std::string>& arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // makes exceeding the file size limit an ordinary write error
  std::optional<Translation> translation;
  if (wants_chinese(::getenv)) translation.emplace(arguments);
  const Translation* chinese = translation ? &*translation : nullptr;
  // A command line that makes no sense may ask for JSON all the same.
  Console parsing(true, std::ranges::find(arguments, "--json") != arguments.end(), chinese);
  // Of which state, is not known yet; nothing is written over a file of any, whatever the command line says.
  const db::StateFolder some(config::Settings().state.folder);
  const auto report = [&](const Error& error) { parsing.report(error); };
  if (const auto refused = db::refuse_state_files(some, report)) return *refused;
  const CommandLine line = parse_command_line(arguments, parsing);
  if (line.exit_code) return *line.exit_code;
  say_when_interrupted(line, chinese);
  Console console(line.options.quiet, line.options.json, chinese);
  const Result<int> done = run_command_line(line, console);
  if (done.ok()) return *done;
  console.report(done.error());
  return static_cast<int>(done.error().code);
}

}  // namespace
}  // namespace qdedup::cli

int main(int argc, char** argv) {
  qdedup::reserve_standard_descriptors();
  qdedup::end_at_once_on_shortage("qdedup");
  try {
    return qdedup::cli::run({argv + 1, argv + argc});
  } catch (const std::exception& exception) {
    const qdedup::Error error = qdedup::exception_error(exception);
    std::cerr << "qdedup: " << error.message << '\n';
    return static_cast<int>(error.code);
  }
}
