#include "daemon/notifier.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <systemd/sd-daemon.h>

namespace qdedup::daemon {
namespace {

Status send(const std::string& message) {
  const int sent = sd_notify(0, message.c_str());
  return sent < 0 ? Status(errno_error("systemd's notification socket", -sent)) : Status();
}

std::string monotonic_microseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

Status Notifier::ready() const { return send("READY=1"); }

Status Notifier::status(std::string_view text) const {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  return send("STATUS=" + line);
}

Status Notifier::reloading() const { return send("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds()); }

Status Notifier::stopping() const { return send("STOPPING=1"); }

Status Notifier::alive() const { return send("WATCHDOG=1"); }

std::optional<std::chrono::microseconds> Notifier::watchdog_period() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0) return std::nullopt;
  return std::chrono::microseconds(microseconds);
}

}  // namespace qdedup::daemon
