#include "daemon/worker.h"

#include <algorithm>
#include <exception>
#include <future>
#include <memory>

#include <boost/asio/post.hpp>

namespace qdedup::daemon {
namespace {

constexpr std::chrono::milliseconds between_reports{100};
constexpr int max_reports = 50;

bool reported(const Worker::Job& job, const std::exception& exception) {
  try {
    job.failed(exception_error(exception));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

Worker::Worker(std::function<void()> changed)
    : job_changed_(std::move(changed)), thread_([this] { work(); }) {}

Worker::~Worker() {
  stop(std::chrono::milliseconds(0));
  thread_.join();
}

std::uint64_t Worker::post(Job job) {
  const std::scoped_lock lock(mutex_);
  ++last_number_;
  if (stopping_) return last_number_;
  waiting_.emplace_back(last_number_, std::move(job));
  changed_.notify_all();
  return last_number_;
}

bool Worker::withdraw(std::uint64_t number) {
  Job dropped;  // destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(waiting_, number, &std::pair<std::uint64_t, Job>::first);
  if (found == waiting_.end()) return false;
  dropped = std::move(found->second);
  waiting_.erase(found);
  return true;
}

std::optional<Worker::RunningJob> Worker::running() const {
  const std::scoped_lock lock(mutex_);
  std::optional<RunningJob> job = running_;
  if (job) job->last_beat = heartbeat_.last();
  return job;
}

std::size_t Worker::waiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.size();
}

void Worker::beat_if_mine(db::Activity activity) {
  if (std::this_thread::get_id() == thread_.get_id()) beat(activity);
}

bool Worker::stop(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  waiting_.clear();
  changed_.notify_all();
  return changed_.wait_for(lock, patience, [this] { return !running_; });
}

void Worker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    run_next(lock);
  }
}

void Worker::run_next(std::unique_lock<std::mutex>& lock) {
  Job job = std::move(waiting_.front().second);
  waiting_.pop_front();
  heartbeat_.beat();
  running_ = RunningJob{std::move(job.name), heartbeat_.last().time, heartbeat_.last()};
  lock.unlock();
  say_changed();
  run(job);
  job = {};
  lock.lock();
  running_.reset();
  changed_.notify_all();
  lock.unlock();
  say_changed();
  lock.lock();
}

// Without memory for the report it waits for some, because somebody depends on the outcome. Where none comes,
// the daemon ends (base/sudden_end.h).
void Worker::run(const Job& job) {
  try {
    job.run(heartbeat_);
  } catch (const std::exception& exception) {
    for (int reports = 1; !reported(job, exception); ++reports) {
      if (reports == max_reports) throw;
      std::this_thread::sleep_for(between_reports);
    }
  }
}

// Only for display, which is repeated now and then.
void Worker::say_changed() const {
  try {
    job_changed_();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
  }
}

bool becomes_idle(boost::asio::thread_pool& pool, std::chrono::milliseconds patience) {
  auto idle = std::make_shared<std::promise<void>>();
  boost::asio::post(pool, [idle] { idle->set_value(); });
  return idle->get_future().wait_for(patience) == std::future_status::ready;
}

}  // namespace qdedup::daemon
