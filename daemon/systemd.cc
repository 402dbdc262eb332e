#include "daemon/systemd.h"

#include <cstdint>
#include <string>

#include <systemd/sd-daemon.h>

#include "base/escaped.h"

namespace qdedup::daemon {
namespace {

void notify(const std::string& state) { sd_notify(0, state.c_str()); }

}  // namespace

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
