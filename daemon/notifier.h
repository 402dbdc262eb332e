#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace qdedup::daemon {

// Tells systemd what the daemon does (sd_notify(3)); without systemd ($NOTIFY_SOCKET) it does nothing, and
// succeeds. A message that cannot be sent is ErrorCode::io; one may go on. For any thread.
class Notifier {
 public:
  // The daemon has started, or has read its config anew.
  [[nodiscard]] Status ready() const;

  // What it is doing, in words; line ends in it become spaces.
  [[nodiscard]] Status status(std::string_view text) const;

  // It reads its config anew; ready() ends that.
  [[nodiscard]] Status reloading() const;

  // It ends.
  [[nodiscard]] Status stopping() const;

  // It works as it should. To be sent at least twice in each watchdog period.
  [[nodiscard]] Status alive() const;

  // Without a sign of life for so long, systemd restarts the daemon; none where it does not watch.
  [[nodiscard]] static std::optional<std::chrono::microseconds> watchdog_period();
};

}  // namespace qdedup::daemon
