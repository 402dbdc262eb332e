#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <spdlog/logger.h>

#include "base/result.h"

namespace qdedup::daemon {

// Whether the descriptor leads to systemd's journal: `journal_stream` is the value of $JOURNAL_STREAM, the
// journal's "device:inode", or null (systemd.exec(5)). A descriptor that was redirected since does not,
// whatever the variable says.
bool is_journal(int descriptor, const char* journal_stream);

// The daemon's log, for any thread. It goes to the journal, with SYSLOG_IDENTIFIER=qdedupd and the priority
// of each message, if standard error is the journal; else to standard error, line by line with time and
// level. `level` is the lowest that is logged: "debug", "info", "warning" or "error"; else ErrorCode::usage.
Result<std::shared_ptr<spdlog::logger>> open_journal(std::string_view level);

// Tells systemd what the daemon does (sd_notify(3)); without systemd ($NOTIFY_SOCKET) it does nothing, and
// succeeds. ErrorCode::io for a message that cannot be sent. For any thread.
class Notifier {
 public:
  // The daemon has started, or has reloaded its config.
  [[nodiscard]] Status ready() const;

  // What it is doing, in words; line ends in it become spaces.
  [[nodiscard]] Status status(std::string_view text) const;

  // It reloads its config; ready() ends that.
  [[nodiscard]] Status reloading() const;

  // It ends.
  [[nodiscard]] Status stopping() const;

  // It works as it should. To be sent at least twice per watchdog period.
  [[nodiscard]] Status alive() const;

  // After so long without a sign of life systemd restarts the daemon; none: it does not watch.
  [[nodiscard]] static std::optional<std::chrono::microseconds> watchdog_period();
};

}  // namespace qdedup::daemon
