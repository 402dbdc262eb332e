#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <boost/asio/thread_pool.hpp>

#include "base/error.h"
#include "db/connection.h"

namespace qdedup::daemon {

// When a thread last made progress with its work. Thread-safe.
class Heartbeat {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Beat {
    Time time;
    db::Activity activity = db::Activity::step;  // what began then
  };

  // A beat that is read while it is being written counts as the longer activity.
  void beat(db::Activity activity = db::Activity::step) {
    time_ = std::chrono::steady_clock::now().time_since_epoch().count();
    activity_ = activity;
  }

  [[nodiscard]] Beat last() const {
    const db::Activity activity = activity_;
    return {Time(Time::duration(time_.load())), activity};
  }

 private:
  std::atomic<Time::rep> time_ = std::chrono::steady_clock::now().time_since_epoch().count();
  std::atomic<db::Activity> activity_ = db::Activity::step;
};

// A thread that does one job after another: iterations and leases for commands, what is read for requests, or
// checks.
class Worker {
 public:
  struct Job {
    std::string name;  // for people: "iteration", "import"
    std::function<void(Heartbeat&)> run;
    // Called if `run` throws (out of memory, for example), and again while it throws itself.
    std::function<void(const Error&)> failed = [](const Error&) {};
  };

  // The present job.
  struct RunningJob {
    std::string job;
    std::chrono::steady_clock::time_point since;
    Heartbeat::Beat last_beat;
  };

  // `changed` is called on the worker's thread when a job begins and when it ends.
  explicit Worker(std::function<void()> changed);
  ~Worker();  // waits for the running job; drops the waiting ones
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Returns the job's number.
  std::uint64_t post(Job job);

  // Drops a job that has not begun; returns whether there was one.
  bool withdraw(std::uint64_t number);

  // None if idle.
  [[nodiscard]] std::optional<RunningJob> running() const;

  [[nodiscard]] std::size_t waiting() const;  // jobs that have not begun

  // To be called on a thread that works for this worker.
  void beat(db::Activity activity) { heartbeat_.beat(activity); }

  // Counts only on this worker's thread. Thread-safe.
  void beat_if_mine(db::Activity activity);

  // For connections that a job opens; must not outlive the worker.
  [[nodiscard]] db::OnActivity on_activity() {
    return [this](db::Activity activity) { beat_if_mine(activity); };
  }

  // Begins no further job. Waits at most `patience` for the running one; returns whether it has ended.
  bool stop(std::chrono::milliseconds patience);

 private:
  void work();
  void run_next(std::unique_lock<std::mutex>& lock);
  void run(const Job& job);
  void say_changed() const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, Job>> waiting_;
  std::uint64_t last_number_ = 0;
  std::optional<RunningJob> running_;
  Heartbeat heartbeat_;
  bool stopping_ = false;
  std::function<void()> job_changed_;
  std::thread thread_;
};

// Waits at most `patience` until the pool, which has one thread, has done everything posted so far; returns
// whether it has.
bool becomes_idle(boost::asio::thread_pool& pool, std::chrono::milliseconds patience);

}  // namespace qdedup::daemon
