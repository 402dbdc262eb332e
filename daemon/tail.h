#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/clock.h"
#include "config/settings.h"
#include "daemon/worker.h"
#include "db/store_writer.h"
#include "iteration/log_follower.h"
#include "logs/log_watch.h"

namespace qdedup::daemon {

// How well following the logs works.
struct TailReport {
  std::map<std::string, iteration::LogLag> lags;  // by path
  std::map<logs::FileIdentity, iteration::LogProgress> progress;
  std::chrono::steady_clock::time_point looked_at;  // when the last look at all logs began, in a pause too
  std::map<std::string, Error> problems;            // by path
  std::optional<Error> trouble;      // of no single log: they cannot be looked for, or some not be opened
  std::vector<std::string> waiting;  // compressed files that are still incomplete
  iteration::FollowerCounters counters;
  std::optional<Error> failure;  // of the store; the next turn retries
  std::uint64_t failures = 0;    // of the store, since the start
};

// Follows the logs: waits on the loop for something to happen, and takes turns of a LogFollower on its own
// thread. Call all functions on the loop's thread, unless stated otherwise.
class Tail {
 public:
  // Called on the loop's thread.
  struct Events {
    std::function<void(const iteration::LogNews&)> news;
    std::function<void(const std::optional<Error>&)> failure;  // of the store; none: it has recovered
    std::function<void()> turn_ended;
  };

  // The loop, the writer and the clock must outlive it.
  static Result<std::unique_ptr<Tail>> create(boost::asio::io_context& loop, const config::Settings& settings,
                                              db::StoreWriter& writer, const Clock& clock, Events events);
  ~Tail() = default;
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

  // Uses new settings from the next turn on.
  void use(const config::Settings& settings);

  // Takes a turn now, whatever it is waiting for; the first call starts everything.
  void look_now();

  // Ends the turns. Waits at most `patience` for the running one; returns whether it is done.
  bool stop(std::chrono::milliseconds patience);

  // While the result lives, no turn is taken; right afterwards, one that reads the store again. Waits for the
  // running turn as long as `is_wanted`, otherwise returns null. Callable on any thread but the loop's; the
  // result must be destroyed on the thread that got it.
  std::shared_ptr<void> pause(const std::function<bool()>& is_wanted);

  // Thread-safe.
  [[nodiscard]] TailReport report() const;

  // When the running turn last made progress; none if none is running, or if it only waits for a pause to
  // end. Thread-safe.
  [[nodiscard]] std::optional<Heartbeat::Beat> last_beat() const;

  // Counts only on the thread that takes turns. Thread-safe.
  void beat_if_mine(db::Activity activity);

 private:
  Tail(boost::asio::io_context& loop, config::Settings settings, Events events);

  void wait_for_something(std::optional<std::chrono::steady_clock::time_point> due);
  void listen_until(std::chrono::steady_clock::time_point time);
  void something_happened(std::chrono::steady_clock::time_point next_turn);
  void begin_turn_at(std::chrono::steady_clock::time_point time);
  void end_turn(const Result<iteration::LogFollower::Turn>& turn,
                const std::vector<iteration::LogNews>& news);
  void retry_after(const Error& failure);

  // These run on the tail's thread.
  void take_turn(const std::vector<std::string>& globs, const std::optional<config::Settings>& new_settings);
  void wait_for_pause_to_end(std::unique_lock<std::mutex>& alone);
  void publish(const Result<iteration::LogFollower::Turn>* turn = nullptr);  // that has ended

  boost::asio::io_context& loop_;
  config::Settings settings_;
  Events events_;

  logs::Files files_{db::StateFolder(settings_.state.folder).files(), [this] { heartbeat_.beat(); }};
  std::unique_ptr<iteration::LogFollower> follower_;  // the tail's thread uses it
  std::mutex mining_;
  std::mutex next_;  // held while waiting for mining_, so that back-to-back turns let others in between
  std::atomic<bool> stale_ = false;  // others have mined since the last turn

  logs::LogWatch watch_;                           // a turn's while one runs, else the loop's
  boost::asio::posix::stream_descriptor watched_;  // a duplicate of the watch's descriptor
  boost::asio::steady_timer timer_;
  std::chrono::steady_clock::time_point next_look_;  // not before, unless there is more to read
  std::optional<config::Settings> new_settings_;     // for the next turn
  std::chrono::milliseconds pause_{0};               // after a failure
  bool turn_runs_ = false;
  bool stopping_ = false;

  mutable std::mutex report_mutex_;
  TailReport report_;
  Heartbeat heartbeat_;
  std::atomic<bool> is_at_work_ = false;

  boost::asio::thread_pool thread_{1};  // the last member: its destructor waits for the running turn
};

}  // namespace qdedup::daemon
