#pragma once

#include <atomic>
#include <chrono>

#include "base/progress.h"

namespace qdedup::daemon {

// When a thread last got on with its work. For any thread.
class Heartbeat {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void beat() { last_ = std::chrono::steady_clock::now().time_since_epoch().count(); }
  [[nodiscard]] Time last() const { return Time(Time::duration(last_.load())); }

 private:
  std::atomic<Time::rep> last_ = std::chrono::steady_clock::now().time_since_epoch().count();
};

}  // namespace qdedup::daemon
