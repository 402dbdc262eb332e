#include "daemon/worker.h"

#include <utility>

namespace qdedup::daemon {

Worker::Worker(std::function<void()> changed)
    : job_changed_(std::move(changed)), thread_([this] { work(); }) {}

Worker::~Worker() {
  stop(std::chrono::milliseconds(0));
  thread_.join();
}

void Worker::post(Job job) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) return;
  waiting_.push_back(std::move(job));
  changed_.notify_all();
}

std::optional<Worker::Activity> Worker::activity() const {
  const std::scoped_lock lock(mutex_);
  std::optional<Activity> activity = running_;
  if (activity) activity->last_beat = heartbeat_.last();
  return activity;
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
  Job job = std::move(waiting_.front());
  waiting_.pop_front();
  heartbeat_.beat();
  running_ = Activity{job.name, heartbeat_.last().time, heartbeat_.last()};
  lock.unlock();
  job_changed_();
  job.run(heartbeat_);
  job = {};
  lock.lock();
  running_.reset();
  changed_.notify_all();
  lock.unlock();
  job_changed_();
  lock.lock();
}

}  // namespace qdedup::daemon
