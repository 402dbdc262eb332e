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

// The daemon's log, for any thread: the journal, if standard error is that; else standard error, with time
// and level on each line. `level` is the lowest that is logged: "debug", "info", "warning" or "error"; else
// ErrorCode::usage.
Result<std::shared_ptr<spdlog::logger>> open_journal(std::string_view level);

// These tell systemd what the daemon does (sd_notify(3)). Without systemd they do nothing; what cannot be
// sent is lost. For any thread.
void notify_ready();                        // it has started, or has reloaded its config
void notify_status(std::string_view text);  // what it is doing, in words; line ends in it are escaped
void notify_reloading();                    // until it is ready
void notify_stopping();
void notify_alive();  // it works as it should: at least twice per watchdog period

// After so long without a sign of life systemd restarts the daemon; none: it does not watch.
std::optional<std::chrono::microseconds> watchdog_period();

}  // namespace qdedup::daemon
