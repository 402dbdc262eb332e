#include "daemon/journal.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <utility>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/systemd_sink.h>
#include <sys/stat.h>
#include <unistd.h>

namespace qdedup::daemon {
namespace {

constexpr const char* identifier = "qdedupd";

constexpr std::array<std::pair<std::string_view, spdlog::level::level_enum>, 4> levels = {
    {{"debug", spdlog::level::debug},
     {"info", spdlog::level::info},
     {"warning", spdlog::level::warn},
     {"error", spdlog::level::err}}};

spdlog::sink_ptr open_sink() {
  if (is_journal(STDERR_FILENO, std::getenv("JOURNAL_STREAM"))) {
    return std::make_shared<spdlog::sinks::systemd_sink_mt>(identifier);
  }
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sink->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l: %v");
  return sink;
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
    auto log = std::make_shared<spdlog::logger>(identifier, open_sink());
    log->set_level(chosen->second);
    return log;
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, std::string("log: ") + exception.what()};
  }
}

}  // namespace qdedup::daemon
