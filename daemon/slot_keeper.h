#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"
#include "base/result.h"
#include "iteration/log_follower.h"
#include "logs/files.h"
#include "schedule/schedule.h"

namespace qdedup::daemon {

// The wait until what was in the logs when a slot came is mined. A log that vanishes before that may come
// back compressed, so then the wait is for all that is there by then.
class LogWait {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Progress = std::map<logs::FileIdentity, iteration::LogProgress>;

  explicit LogWait(Time begun) : begun_(begun) {}

  // Notes how far the logs are mined, as seen by a look that began at `looked_at`.
  void note(const Progress& progress, Time looked_at);

  [[nodiscard]] bool is_over() const { return has_looked_ && goals_.empty(); }
  [[nodiscard]] Time begun() const { return begun_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // waited for, as of the last note

 private:
  void aim(const Progress& progress);
  [[nodiscard]] bool measure(const Progress& progress);

  Time begun_;
  bool has_looked_ = false;
  std::map<logs::FileIdentity, std::uint64_t> goals_;  // how far to mine what is not mined so far yet
  std::uint64_t bytes_ = 0;
};

// Handles each slot of the schedule once, however the clock is set, after what was in the logs when it came
// is mined. On the loop's thread.
class SlotKeeper {
 public:
  // `iterate` and `note` record the slot in the store, and call `done` on the loop's thread.
  struct Actions {
    std::function<Result<std::vector<std::chrono::sys_seconds>>()> recorded;
    std::function<void(std::chrono::sys_seconds slot, std::function<void(const Status&)> done)> iterate;
    std::function<void(std::chrono::sys_seconds slot, std::function<void(const Status&)> done)> note;
    std::function<void(LogWait&)> look_at_logs;  // notes how far they are mined
    std::function<void(const std::string&)> report;
  };

  // A slot that came, and what it waits for.
  struct Waiting {
    std::chrono::sys_seconds slot;
    std::uint64_t bytes = 0;
  };

  // Waits for logs for at most `patience`. The loop and the clock must outlive it.
  SlotKeeper(boost::asio::io_context& loop, schedule::Schedule schedule, std::chrono::seconds patience,
             const Clock& clock, Actions actions);

  void start() { check(); }
  void stop();

  // Tries a slot that failed again at once: the obstacle may be gone.
  void retry();

  // Some logs were mined.
  void logs_moved();

  // Goes on by another schedule.
  void use(schedule::Schedule schedule, std::chrono::seconds patience);

  [[nodiscard]] std::optional<std::chrono::sys_seconds> next_slot() const;
  [[nodiscard]] std::optional<Waiting> waiting() const;  // none: no slot waits for logs

 private:
  void check();
  void check_again(std::chrono::steady_clock::duration pause);
  [[nodiscard]] std::chrono::steady_clock::duration until_next_check() const;
  bool waits_for_logs(std::chrono::sys_seconds slot);
  void finished(const Status& status);
  [[nodiscard]] std::chrono::sys_seconds now() const;

  schedule::Schedule schedule_;
  std::chrono::seconds patience_;
  const Clock& clock_;
  Actions actions_;
  boost::asio::steady_timer timer_;
  std::chrono::seconds pause_after_failure_{0};
  std::optional<LogWait> log_wait_;
  std::optional<std::chrono::sys_seconds> waiting_slot_;  // that the wait is for
  std::optional<std::chrono::sys_seconds> ready_slot_;    // that has waited
  bool reported_ = false;                                 // that it waits
  bool acting_ = false;
  bool stopping_ = false;
};

}  // namespace qdedup::daemon
