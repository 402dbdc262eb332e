#pragma once

#include <atomic>
#include <chrono>
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

// How following the logs goes.
struct TailReport {
  std::map<std::string, iteration::LogLag> lags;  // by path
  std::map<logs::FileIdentity, iteration::LogProgress> progress;
  std::chrono::steady_clock::time_point looked_at;  // when the last look at all logs began
  std::map<std::string, Error> problems;            // by path
  std::vector<std::string> waiting;                 // compressed files that are not complete yet
  iteration::FollowerCounters counters;
  std::optional<Error> failure;  // of the store; the next turn tries again
  std::uint64_t failures = 0;    // of the store, since the start
};

// Follows the logs: on the loop it waits for something to happen, on a thread of its own it takes turns of a
// LogFollower. All functions on the loop's thread, unless they say otherwise.
class Tail {
 public:
  // Called on the loop's thread.
  struct Events {
    std::function<void(const iteration::LogNews&)> news;
    std::function<void(const std::optional<Error>&)> failure;  // of the store; none: it is over
    std::function<void()> turn_ended;
  };

  // The loop, the writer and the clock must outlive it.
  static Result<std::unique_ptr<Tail>> create(boost::asio::io_context& loop, const config::Settings& settings,
                                              db::StoreWriter& writer, const Clock& clock, Events events);
  ~Tail();
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

  // Goes on with new settings from the next turn on.
  void use(const config::Settings& settings);

  // Takes a turn now, whatever it waits for; the first begins it all.
  void look_now();

  // There are no more turns. Waits at most `patience` for the one that runs; returns whether it is done.
  bool stop(std::chrono::milliseconds patience);

  // While the result lives, no turn is taken; afterwards the follower reads the store again. Waits for the
  // turn that runs, as long as that is wanted; else null. From any thread but the loop's; the result goes on
  // the thread that got it.
  std::shared_ptr<void> pause(const std::function<bool()>& is_wanted);

  // From any thread.
  [[nodiscard]] TailReport report() const;

  // When the turn that runs last got on; nothing while none runs, or while it waits for a pause to end. From
  // any thread.
  [[nodiscard]] std::optional<Heartbeat::Beat> last_beat() const;

  // From any thread: counts when it is the one that takes turns.
  void beat_if_mine(db::Activity activity);

 private:
  Tail(boost::asio::io_context& loop, config::Settings settings, const Clock& clock, Events events);

  void wait_for_something(std::optional<std::chrono::steady_clock::time_point> due);
  void listen_until(std::chrono::steady_clock::time_point time);
  void something_happened(std::chrono::steady_clock::time_point next_turn);
  void begin_turn_at(std::chrono::steady_clock::time_point time);
  void end_turn(const Result<iteration::LogFollower::Turn>& turn,
                const std::vector<iteration::LogNews>& news);
  void retry_after(const Error& failure);

  // On the thread.
  void take_turn(const std::optional<config::Settings>& new_settings);
  void use_now(const config::Settings& settings);
  void publish(const Result<iteration::LogFollower::Turn>& turn, std::chrono::steady_clock::time_point begun);

  boost::asio::io_context& loop_;
  config::Settings settings_;
  const Clock& clock_;
  Events events_;

  logs::Files files_{db::StateFolder(settings_.state.folder).files(), [this] { heartbeat_.beat(); }};
  std::unique_ptr<iteration::LogFollower> follower_;  // who holds mining_ uses it
  std::mutex mining_;
  std::mutex next_;  // who waits for mining_ holds it, so that turns without a break let others in between
  std::atomic<bool> stale_ = false;  // others mined since the last turn

  logs::LogWatch watch_;
  boost::asio::posix::stream_descriptor watched_;  // the same file as the watch's
  boost::asio::steady_timer timer_;
  std::optional<config::Settings> new_settings_;  // for the next turn
  std::chrono::milliseconds pause_{0};            // after a failure
  bool turn_runs_ = false;
  bool stopping_ = false;

  mutable std::mutex report_mutex_;
  TailReport report_;
  Heartbeat heartbeat_;
  std::atomic<bool> turn_holds_mining_ = false;

  boost::asio::thread_pool thread_{1};
};

}  // namespace qdedup::daemon
