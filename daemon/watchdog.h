#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "daemon/worker.h"

namespace qdedup::daemon {

// What tells whether the daemon works, at one moment. That the loop turns is shown by asking at all.
struct SignsOfLife {
  using Time = std::chrono::steady_clock::time_point;

  Time now;
  std::optional<Worker::Activity> worker;  // none: idle
  std::optional<Heartbeat::Beat> turn;     // of following the logs; none: waiting
  std::optional<Time> index_moved;         // that checks are answered with; none: it is not being built
  std::optional<Time> store_asked;         // a question to the store that waits for its answer
};

// What hangs: nothing of it moved for `patience`, or ten times that where it commits, or builds the index.
// Nothing when all is well.
std::optional<std::string> hang(const SignsOfLife& signs, std::chrono::steady_clock::duration patience);

}  // namespace qdedup::daemon
