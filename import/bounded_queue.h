#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace qdedup::import {

// Hands values from one thread to another, in order; the first waits while `most` of them wait for the
// second.
template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t most) : most_(most) {}

  // False where nobody wants it any more.
  bool push(T&& value) {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return values_.size() < most_ || unwanted_; });
    if (unwanted_) return false;
    values_.push_back(std::move(value));
    changed_.notify_all();
    return true;
  }

  // The next value, nothing behind the last. Throws what end() was given.
  std::optional<T> pop() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return !values_.empty() || ended_; });
    if (values_.empty()) {
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      return std::nullopt;
    }
    std::optional<T> value = std::move(values_.front());
    values_.pop_front();
    changed_.notify_all();
    return value;
  }

  // To be called by the first thread: no value comes any more, perhaps for that failure.
  void end(std::exception_ptr failure) noexcept {
    const std::lock_guard lock(guard_);
    failure_ = std::move(failure);
    ended_ = true;
    changed_.notify_all();
  }

  // To be called by the second thread: what comes is not wanted any more.
  void refuse() noexcept {
    const std::lock_guard lock(guard_);
    unwanted_ = true;
    changed_.notify_all();
  }

 private:
  std::size_t most_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<T> values_;
  std::exception_ptr failure_;
  bool ended_ = false;
  bool unwanted_ = false;
};

}  // namespace qdedup::import
