#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "daemon/heartbeat.h"

namespace qdedup::daemon {

// One thread that does one job after the other: iterations, and the commands that were handed over.
class Worker {
 public:
  struct Job {
    std::string name;  // for people: "iteration", "import"
    std::function<void(Heartbeat&)> run;
  };

  // What it is at.
  struct Activity {
    std::string job;
    std::chrono::steady_clock::time_point since;
    Heartbeat::Beat last_beat;
  };

  // `changed` is called on the worker's thread when a job has begun, and when it has ended.
  explicit Worker(std::function<void()> changed);
  ~Worker();  // waits for the job that runs; those that wait are dropped
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(Job job);

  // Nothing when it is idle.
  [[nodiscard]] std::optional<Activity> activity() const;

  [[nodiscard]] std::size_t waiting() const;  // jobs that are not begun

  // From a thread that works for this worker.
  void beat(db::Activity activity) { heartbeat_.beat(activity); }

  // From any thread: counts when it is this worker's.
  void beat_if_mine(db::Activity activity);

  // For connections that a job opens: what they tell counts when it is this worker's. Not to outlive it.
  [[nodiscard]] db::OnActivity on_activity() {
    return [this](db::Activity activity) { beat_if_mine(activity); };
  }

  // From now on no job is begun. Waits at most `patience` for the one that runs; answers whether it is done.
  bool stop(std::chrono::milliseconds patience);

 private:
  void work();
  void run_next(std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::optional<Activity> running_;
  Heartbeat heartbeat_;
  bool stopping_ = false;
  std::function<void()> job_changed_;
  std::thread thread_;
};

}  // namespace qdedup::daemon
