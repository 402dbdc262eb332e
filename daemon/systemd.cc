#include "daemon/systemd.h"

#include <algorithm>
#include <array>
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

constexpr std::array<std::pair<std::string_view, spdlog::level::level_enum>, 4> levels = {
    {{"debug", spdlog::level::debug},
     {"info", spdlog::level::info},
     {"warning", spdlog::level::warn},
     {"error", spdlog::level::err}}};

// Whatever a message quotes, it forges no line of the journal, and moves no cursor.
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

Status notify(const std::string& message) {
  const int sent = sd_notify(0, message.c_str());
  return sent < 0 ? Status(errno_error("systemd's notification socket", -sent)) : Status();
}

std::string monotonic_microseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

bool is_journal(int descriptor, const char* journal_stream) {
  struct stat file {};
  if (journal_stream == nullptr || fstat(descriptor, &file) != 0) return false;
  return journal_stream == std::to_string(file.st_dev) + ':' + std::to_string(file.st_ino);
}

Result<std::shared_ptr<spdlog::logger>> open_journal(std::string_view level) {
  const auto* const chosen =
      std::ranges::find(levels, level, &std::pair<std::string_view, spdlog::level::level_enum>::first);
  if (chosen == levels.end()) {
    return Error{ErrorCode::usage, "log level \"" + std::string(level) +
                                       R"(" is none of "debug", "info", "warning" and "error")"};
  }
  try {
    std::shared_ptr<spdlog::logger> log = std::make_shared<EscapingLogger>(identifier, open_sink());
    log->set_level(chosen->second);
    return log;
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, std::string("log: ") + exception.what()};
  }
}

Status Notifier::ready() const { return notify("READY=1"); }

Status Notifier::status(std::string_view text) const { return notify("STATUS=" + escaped(text)); }

Status Notifier::reloading() const {
  return notify("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds());
}

Status Notifier::stopping() const { return notify("STOPPING=1"); }

Status Notifier::alive() const { return notify("WATCHDOG=1"); }

std::optional<std::chrono::microseconds> Notifier::watchdog_period() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0) return std::nullopt;
  return std::chrono::microseconds(microseconds);
}

}  // namespace qdedup::daemon
