#include "daemon/handed_commands.h"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "base/version.h"
#include "cli/command_line.h"
#include "cli/handed_command.h"
#include "cli/remote_lines.h"
#include "daemon/daemon_host.h"
#include "daemon/remote_console.h"
#include "daemon/response.h"

namespace qdedup::daemon {
namespace {

// Each keeps a connection: there must be some left for questions (HttpLimits::connections).
constexpr std::size_t most_waiting = 16;

// The files that came with the request, by the names that the tool has for them.
Result<std::unique_ptr<logs::Files>> files_of(const cli::HandedCommand& command,
                                              std::vector<FileDescriptor> descriptors, Worker& worker) {
  auto files = std::make_unique<logs::HandedFiles>([&worker] { worker.beat_if_mine(db::Activity::step); });
  std::size_t next = 0;
  for (const cli::HandedInput& input : command.inputs) {
    if (input.failure != 0) {
      files->hand_failure(input.path, input.failure);
    } else if (next < descriptors.size()) {
      files->hand(input.path, descriptors[next++].release());
    } else {
      return Error{ErrorCode::data, "fewer files came with the command than it names"};
    }
  }
  return std::unique_ptr<logs::Files>(std::move(files));
}

// The tool's config where it has one, the daemon's otherwise; the state is the daemon's.
Result<config::Settings> settings_for(const cli::HandedCommand& command, const config::Settings& own) {
  if (!command.config) return own;
  Result<config::Settings> settings = config::parse_settings(*command.config, "--config");
  if (settings.ok()) settings->state.folder = own.state.folder;
  return settings;
}

// A command with all that it needs; run once.
struct Job {
  cli::HandedCommand command;
  config::Settings settings;
  std::unique_ptr<DaemonHost> host;
  const Clock& clock;
  std::shared_ptr<spdlog::logger> log;
  HandedCommands::News news;

  int run(cli::Console& console) const {
    const cli::CommandLine line = cli::parse_command_line(command.arguments, console);
    if (line.exit_code) return *line.exit_code;
    return cli::run_command(line.command, cli::Session(settings, line.options, clock, console, *host));
  }

  // What a program of its own would do at its end: no command ends the daemon.
  int run_safely(cli::Console& console) const {
    try {
      return run(console);
    } catch (const std::bad_alloc&) {
      console.report({ErrorCode::internal, "out of memory; nothing that was committed is lost"});
    } catch (const std::exception& exception) {
      console.report({ErrorCode::internal, std::string("internal error: ") + exception.what()});
    }
    return static_cast<int>(ErrorCode::internal);
  }

  void answer(const LineStream& stream, Heartbeat& heartbeat) const {
    if (stream.gone()) return log->info("{}: given up by its client before its turn came", command.name);
    log->info("{} was handed over", command.name);
    RemoteConsole console(stream, heartbeat);
    const int exit_code = run_safely(console);
    log->info("{} ended with exit code {}", command.name, exit_code);
    if (const std::optional<bool> succeeded = host->iterated()) news.iterated(*succeeded);
    console.finish(exit_code);
  }
};

bool is_quiet(const cli::HandedCommand& command) {
  return std::ranges::find(command.arguments, "--quiet") != command.arguments.end();
}

Status check_version(const cli::HandedCommand& command) {
  if (command.version == program_version()) return {};
  return Error{ErrorCode::busy, "the daemon is qdedup " + program_version() + " and this is " +
                                    command.version + "; restart the daemon"};
}

}  // namespace

void HandedCommands::take(Request request, const Responder& responder, const config::Settings& settings) {
  if (worker_.waiting() >= most_waiting) {
    return responder.send(error_response(503, "too many commands wait already; try again later"));
  }
  Result<cli::HandedCommand> command = cli::parse_handed_command(request.body);
  if (!command.ok()) return responder.send(error_response(400, command.error().message));
  if (const Status same = check_version(*command); !same.ok()) {
    return responder.send(error_response(409, same.error().message));
  }
  Result<config::Settings> used = settings_for(*command, settings);
  if (!used.ok()) return responder.send(error_response(400, used.error().message));
  Result<std::unique_ptr<logs::Files>> files = files_of(*command, std::move(request.descriptors), worker_);
  if (!files.ok()) return responder.send(error_response(400, files.error().message));

  auto host = std::make_unique<DaemonHost>(state_, tail_, worker_, *std::move(files), command->user);
  const std::string name = command->name;
  LineStream stream = responder.stream("text/plain");
  if (const auto at_work = worker_.activity(); at_work && !is_quiet(*command)) {
    stream.write(cli::err_line + ("qdedup: waits until the daemon is done with: " + at_work->job));
  }
  auto job =
      std::make_shared<Job>(Job{*std::move(command), *std::move(used), std::move(host), clock_, log_, news_});
  worker_.post({name, [job, &index = index_, stream = std::move(stream)](Heartbeat& heartbeat) {
                  const auto paused = index.pause();
                  std::uint64_t& bytes = job->settings.resources.memory_bytes;
                  bytes = index.left_of(bytes);
                  job->answer(stream, heartbeat);
                  job->news.ended();
                }});
}

}  // namespace qdedup::daemon
