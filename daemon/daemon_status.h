#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "daemon/check_index.h"
#include "daemon/tail.h"
#include "daemon/worker.h"

namespace qdedup::daemon {

// How the daemon is, at one moment.
struct DaemonStatus {
  std::chrono::system_clock::time_point started_at;
  std::chrono::system_clock::time_point now;
  std::chrono::steady_clock::time_point steady_now;
  TailReport tail;
  std::optional<Worker::Activity> worker;             // none: idle
  std::size_t jobs_waiting = 0;                       // behind that
  std::optional<std::chrono::sys_seconds> next_slot;  // none: the schedule is off
  std::uint64_t succeeded_iterations = 0;             // since the start, handed over or not
  std::uint64_t failed_iterations = 0;
  std::string last_iteration_failure;  // empty: the last one, if any, succeeded
  CheckIndex::Report check_index;
  std::optional<std::string> hang;  // what does not get on
};

// Why it is not healthy, one reason a line; empty when it is.
std::string trouble_of(const DaemonStatus& status);

// In one line, for systemd: "following logs; iteration since …; next …".
std::string words_of(const DaemonStatus& status);

// For GET /api/status, and `qdedup status`.
std::string json_of(const DaemonStatus& status);

}  // namespace qdedup::daemon
