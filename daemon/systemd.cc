#include "daemon/systemd.h"

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/systemd_sink.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "base/escaped.h"

namespace qdedup::daemon {
namespace {

constexpr const char* identifier = "qdedupd";

// Escapes messages, so that nothing they quote can forge a line of the journal or move the cursor.
class EscapingLogger final : public spdlog::logger {
 public:
  using spdlog::logger::logger;

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string payload = escaped_lines({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg safe = message;
    safe.payload = payload;
    spdlog::logger::sink_it_(safe);
  }
};

spdlog::sink_ptr open_sink() {
  if (is_journal(STDERR_FILENO, std::getenv("JOURNAL_STREAM"))) {
    return std::make_shared<spdlog::sinks::systemd_sink_mt>(identifier);
  }
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sink->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l: %v");
  return sink;
}

void notify(const std::string& state) { sd_notify(0, state.c_str()); }

}  // namespace

bool is_journal(int descriptor, const char* journal_stream) {
  struct stat file {};
  if (journal_stream == nullptr || fstat(descriptor, &file) != 0) return false;
  return journal_stream == std::to_string(file.st_dev) + ':' + std::to_string(file.st_ino);
}

Result<std::shared_ptr<spdlog::logger>> open_journal(std::string_view level) {
  const std::string name(level);
  const auto chosen = spdlog::level::from_str(name);  // also accepts abbreviations and further levels
  const bool is_ours = chosen >= spdlog::level::debug && chosen <= spdlog::level::err;
  if (!is_ours || spdlog::level::to_string_view(chosen) != name) {
    return Error{ErrorCode::usage,
                 "log level \"" + name + R"(" is none of "debug", "info", "warning" and "error")"};
  }
  try {
    std::shared_ptr<spdlog::logger> log = std::make_shared<EscapingLogger>(identifier, open_sink());
    log->set_level(chosen);
    return log;
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, std::string("log: ") + exception.what()};
  }
}

void notify_ready() { notify("READY=1"); }

void notify_status(std::string_view text) { notify("STATUS=" + escaped(text)); }

void notify_reloading() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  notify("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
}

void notify_stopping() { notify("STOPPING=1"); }

void notify_alive() { notify("WATCHDOG=1"); }

std::optional<std::chrono::microseconds> watchdog_period() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0) return std::nullopt;
  return std::chrono::microseconds(microseconds);
}

}  // namespace qdedup::daemon
