#include "daemon/tail.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <ctime>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "daemon/worker.h"

namespace qdedup::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds first_retry_pause{500};
constexpr milliseconds longest_retry_pause{30'000};
// Reserved for the databases, the loop and a few connections.
constexpr std::size_t descriptors_for_others = 32;
constexpr std::size_t min_open_logs = 4;
// How often to look at logs that inotify does not watch completely.
constexpr seconds poll_without_watch{1};
// Turns cost more the more logs there are. So what is written shortly after one waits for this many times the
// processor time that it took.
constexpr int rest_after_turn = 9;
constexpr milliseconds max_rest{1000};
constexpr milliseconds between_questions{20};  // how often to check whether a pause is over, or still wanted
constexpr seconds between_looks{2};            // during a pause

iteration::FollowerOptions options_of(const config::TailSettings& settings) {
  iteration::FollowerOptions options;
  options.rotate_wait = seconds(settings.rotate_wait_seconds);
  options.stretch_lines = settings.commit_lines;
  const std::size_t left = open_file_limit() - std::min(open_file_limit(), descriptors_for_others);
  options.max_open_files = std::clamp(left / 2, min_open_logs, options.max_open_files);
  return options;
}

std::chrono::nanoseconds processor_time_of_thread() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

Tail::Tail(boost::asio::io_context& loop, config::Settings settings, Events events)
    : loop_(loop), settings_(std::move(settings)), events_(std::move(events)), watched_(loop), timer_(loop) {}

Result<std::unique_ptr<Tail>> Tail::create(boost::asio::io_context& loop, const config::Settings& settings,
                                           db::StoreWriter& writer, const Clock& clock, Events events) {
  std::unique_ptr<Tail> tail(new Tail(loop, settings, std::move(events)));
  QDEDUP_ASSIGN_OR_RETURN(tail->follower_, iteration::LogFollower::create(settings, options_of(settings.tail),
                                                                          tail->files_, writer, clock));
  if (tail->watch_.descriptor() >= 0) {
    const int watched = ::dup(tail->watch_.descriptor());
    if (watched < 0) return errno_error("inotify", errno);
    tail->watched_.assign(watched);
  }
  return tail;
}

void Tail::use(const config::Settings& settings) {
  settings_ = settings;
  new_settings_ = settings;
  look_now();
}

bool Tail::stop(milliseconds patience) {
  stopping_ = true;
  timer_.cancel();
  boost::system::error_code closed;
  watched_.close(closed);
  return becomes_idle(thread_, patience);
}

std::shared_ptr<void> Tail::pause(const std::function<bool()>& is_wanted) {
  const std::scoped_lock next(next_);
  auto turn = std::make_shared<std::unique_lock<std::mutex>>(mining_, std::defer_lock);
  while (!turn->try_lock()) {
    if (!is_wanted()) return nullptr;
    std::this_thread::sleep_for(between_questions);
  }
  stale_ = true;
  boost::asio::post(loop_, [this] { look_now(); });  // waits for the pause to end
  return turn;
}

TailReport Tail::report() const {
  const std::scoped_lock lock(report_mutex_);
  return report_;
}

std::optional<Heartbeat::Beat> Tail::last_beat() const {
  return is_at_work_ ? std::optional(heartbeat_.last()) : std::nullopt;
}

void Tail::beat_if_mine(db::Activity activity) {
  if (thread_.get_executor().running_in_this_thread()) heartbeat_.beat(activity);
}

void Tail::begin_turn_at(steady_clock::time_point time) {
  timer_.expires_at(time);
  timer_.async_wait([this](boost::system::error_code failure) {
    if (!failure) look_now();
  });
}

void Tail::wait_for_something(std::optional<steady_clock::time_point> due) {
  const auto poll = watch_.complete() ? seconds(settings_.tail.poll_seconds)
                                      : std::min(seconds(settings_.tail.poll_seconds), poll_without_watch);
  const auto next_poll = steady_clock::now() + poll;
  listen_until(due ? std::min(*due, next_poll) : next_poll);
}

void Tail::listen_until(steady_clock::time_point time) {
  begin_turn_at(time);
  if (!watched_.is_open()) return;
  watched_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [this, time](boost::system::error_code failure) {
                        if (!failure) something_happened(time);
                      });
}

// A quiet log is read at once; of a busy one, what is written within commit_ms, or while it is being read, is
// committed together. There is no turn if nothing of it concerned the logs.
void Tail::something_happened(steady_clock::time_point next_turn) {
  if (turn_runs_ || stopping_) return;
  timer_.expires_at(std::min(next_look_, next_turn));
  timer_.async_wait([this, next_turn](boost::system::error_code failure) {
    if (failure || turn_runs_ || stopping_) return;
    next_look_ = steady_clock::now() + milliseconds(settings_.tail.commit_ms);
    if (!watch_.drain() && steady_clock::now() < next_turn) {
      listen_until(next_turn);
    } else {
      look_now();
    }
  });
}

void Tail::look_now() {
  if (turn_runs_ || stopping_) return;
  turn_runs_ = true;
  next_look_ = steady_clock::now() + milliseconds(settings_.tail.commit_ms);
  boost::system::error_code cancelled;
  watched_.cancel(cancelled);
  timer_.cancel();
  boost::asio::post(thread_, [this, globs = settings_.logs.paths,
                              settings = std::exchange(new_settings_, {})] { take_turn(globs, settings); });
}

// Sets up the watch first, so that anything after the look is reported.
void Tail::take_turn(const std::vector<std::string>& globs,
                     const std::optional<config::Settings>& new_settings) {
  std::unique_lock next(next_);
  std::unique_lock alone(mining_, std::defer_lock);
  wait_for_pause_to_end(alone);
  next.unlock();
  heartbeat_.beat();
  is_at_work_ = true;
  watch_.update(globs);
  watch_.drain();
  if (stale_.exchange(false)) follower_->reload();
  const auto used = processor_time_of_thread();
  const auto follow = [&]() -> Result<iteration::LogFollower::Turn> {
    // They were checked when they were read, so the follower accepts them.
    if (new_settings) QDEDUP_TRY(follower_->use(*new_settings, options_of(new_settings->tail)));
    return follower_->turn();
  };
  const Result<iteration::LogFollower::Turn> turn = follow();
  publish(&turn);
  is_at_work_ = false;
  boost::asio::post(
      loop_, [this, turn, news = follower_->take_news(), spent = processor_time_of_thread() - used] {
        next_look_ = std::max(next_look_, steady_clock::now() + std::min<std::chrono::nanoseconds>(
                                                                    rest_after_turn * spent, max_rest));
        end_turn(turn, news);
      });
}

// Sees what is added to the logs meanwhile.
void Tail::wait_for_pause_to_end(std::unique_lock<std::mutex>& alone) {
  for (auto next_look = steady_clock::now(); !alone.try_lock();
       std::this_thread::sleep_for(between_questions)) {
    if (steady_clock::now() < next_look) continue;
    heartbeat_.beat();
    is_at_work_ = true;
    follower_->look_on();
    publish();
    is_at_work_ = false;
    next_look = steady_clock::now() + between_looks;
  }
}

void Tail::publish(const Result<iteration::LogFollower::Turn>* turn) {
  const std::scoped_lock lock(report_mutex_);
  report_.lags = follower_->lags();
  report_.progress = follower_->progress();
  report_.looked_at = follower_->looked_at();
  report_.problems = follower_->problems();
  const auto of_no_log = report_.problems.extract("");
  report_.trouble = of_no_log ? std::optional(of_no_log.mapped()) : std::nullopt;
  report_.waiting = follower_->waiting();
  report_.counters = follower_->counters();
  if (turn == nullptr) return;
  report_.failure = turn->ok() ? std::nullopt : std::optional(turn->error());
  if (!turn->ok()) ++report_.failures;
}

void Tail::end_turn(const Result<iteration::LogFollower::Turn>& turn,
                    const std::vector<iteration::LogNews>& news) {
  turn_runs_ = false;
  for (const iteration::LogNews& piece : news) events_.news(piece);
  if (stopping_) return;
  events_.turn_ended();
  if (!turn.ok()) {
    retry_after(turn.error());
    return;
  }
  if (std::exchange(pause_, milliseconds(0)) > milliseconds(0)) events_.failure(std::nullopt);
  if (turn->more || new_settings_) {
    look_now();
  } else {
    wait_for_something(turn->due);
  }
}

void Tail::retry_after(const Error& failure) {
  if (pause_ == milliseconds(0)) events_.failure(failure);
  pause_ = std::clamp(2 * pause_, first_retry_pause, longest_retry_pause);
  begin_turn_at(steady_clock::now() + pause_);
}

}  // namespace qdedup::daemon
