#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace qdedup::daemon {

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
