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

// Waits until everything that was in the logs when a slot came has been mined. A log that vanishes before
// that may come back compressed, so then it waits for everything that is in the logs at that time.
class LogWait {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Progress = std::map<logs::FileIdentity, iteration::LogProgress>;

  explicit LogWait(Time begun) : begun_(begun) {}

  // Records how far the logs are mined, as seen in a look that began at `looked_at`.
  void note(const Progress& progress, Time looked_at);

  [[nodiscard]] bool is_over() const { return has_looked_ && goals_.empty(); }
  [[nodiscard]] Time begun() const { return begun_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // left to mine at the last note

 private:
  [[nodiscard]] bool measure(const Progress& progress);

  Time begun_;
  bool has_looked_ = false;
  std::map<logs::FileIdentity, std::uint64_t> goals_;  // how far logs that are behind must be mined
  std::uint64_t bytes_ = 0;
};

// Handles each slot of the schedule once, however the clock is set, after what was in the logs when it came
// has been mined. Runs on the loop's thread.
class SlotKeeper {
 public:
  using Recorded = Result<std::vector<std::chrono::sys_seconds>>;

  // `recorded` reads the slots in the store, which `iterate` and `note` record there. All three call their
  // argument on the loop's thread, at once or later.
  struct Actions {
    std::function<void(std::function<void(const Recorded&)> found)> recorded;
    std::function<void(std::chrono::sys_seconds slot, std::function<void(const Status&)> done)> iterate;
    std::function<void(std::chrono::sys_seconds slot, std::function<void(const Status&)> done)> note;
    std::function<void()> nothing_due;           // any more, whatever failed before
    std::function<void(LogWait&)> look_at_logs;  // passes how far they are mined to LogWait::note()
    std::function<void(const std::string&)> report;
  };

  // A slot that has come, and what it is waiting for.
  struct Waiting {
    std::chrono::sys_seconds slot;
    std::uint64_t bytes = 0;
  };

  // Waits for logs for at most `patience`. The loop and the clock must outlive it.
  SlotKeeper(boost::asio::io_context& loop, schedule::Schedule schedule, std::chrono::seconds patience,
             const Clock& clock, Actions actions);

  void start() { check(); }
  void stop();

  // Retries a failed slot at once, since the cause may be gone.
  void retry();

  // To be called when logs were mined.
  void logs_moved();

  // Continues with another schedule.
  void use(schedule::Schedule schedule, std::chrono::seconds patience);

  [[nodiscard]] std::optional<std::chrono::sys_seconds> next_slot() const;
  [[nodiscard]] std::optional<Waiting> waiting() const;  // none: no slot is waiting for logs

 private:
  void check();
  void attempt(const std::function<void()>& step);
  void act_if_due(const Recorded& recorded);
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
  std::optional<std::chrono::sys_seconds> waiting_slot_;  // the one that the wait is for
  std::optional<std::chrono::sys_seconds> ready_slot_;    // has finished waiting
  bool reported_ = false;                                 // that it is waiting
  bool acting_ = false;                                   // or asking what is recorded
  bool again_ = false;                                    // a check was wanted meanwhile
  bool stopping_ = false;
};

}  // namespace qdedup::daemon
