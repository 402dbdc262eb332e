#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"
#include "base/result.h"
#include "schedule/schedule.h"

namespace qdedup::daemon {

// Sees to it that each slot of the schedule is dealt with once, however the clock is set. On the loop's
// thread.
class SlotKeeper {
 public:
  // What to do for a slot, and to call `done` on the loop's thread when it is done (or failed). Either
  // records the slot in the store.
  struct Actions {
    std::function<Result<std::vector<std::chrono::sys_seconds>>()> recorded;
    std::function<void(std::chrono::sys_seconds slot, std::function<void(const Status&)> done)> iterate;
    std::function<void(std::chrono::sys_seconds slot, std::function<void(const Status&)> done)> note;
  };

  // The loop and the clock must outlive it.
  SlotKeeper(boost::asio::io_context& loop, schedule::Schedule schedule, const Clock& clock, Actions actions);

  void start() { check(); }
  void stop();

  // Tries a slot that failed again at once: what was in its way may be gone.
  void retry();

  // Goes on by another schedule.
  void use(schedule::Schedule schedule);

  [[nodiscard]] std::optional<std::chrono::sys_seconds> next_slot() const;

 private:
  void check();
  void check_again(std::chrono::steady_clock::duration pause);
  [[nodiscard]] std::chrono::steady_clock::duration until_next_check() const;
  void dealt_with(const Status& status);
  [[nodiscard]] std::chrono::sys_seconds now() const;

  schedule::Schedule schedule_;
  const Clock& clock_;
  Actions actions_;
  boost::asio::steady_timer timer_;
  std::chrono::seconds pause_after_failure_{0};
  bool acting_ = false;
  bool stopping_ = false;
};

}  // namespace qdedup::daemon
