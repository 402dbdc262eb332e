#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <spdlog/logger.h>

#include "base/result.h"

namespace qdedup::daemon {

// Whether the descriptor leads to systemd's journal: `journal_stream` is $JOURNAL_STREAM, the journal's
// "device:inode", or null (systemd.exec(5)).
bool is_journal(int descriptor, const char* journal_stream);

// The daemon's log, thread-safe: the journal, if standard error leads there, otherwise standard error with
// time and level on each line. `level` is the lowest level that is logged: "debug", "info", "warning" or
// "error"; otherwise ErrorCode::usage.
Result<std::shared_ptr<spdlog::logger>> open_journal(std::string_view level);

// These report to systemd what the daemon does (sd_notify(3)). Without systemd they do nothing, and what
// cannot be sent is lost. Thread-safe.
void notify_ready();                        // it has started, or has reloaded its config
void notify_status(std::string_view text);  // what it is doing, in words; line ends are escaped
void notify_reloading();                    // until notify_ready()
void notify_stopping();
void notify_alive();  // it works as it should; at least twice per watchdog period

// After this long without notify_alive(), systemd restarts the daemon; none if the watchdog is off.
std::optional<std::chrono::microseconds> watchdog_period();

}  // namespace qdedup::daemon
