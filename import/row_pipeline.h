#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "import/question_reader.h"
#include "import/row_batch.h"

namespace qdedup::import {

// Passes values from one thread to another, in order. push() waits while `most` values are in the queue.
template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t most) : most_(most) {}

  // Returns false if the values are no longer wanted.
  bool push(T&& value) {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return values_.size() < most_ || unwanted_; });
    if (unwanted_) return false;
    values_.push_back(std::move(value));
    changed_.notify_all();
    return true;
  }

  // The next value; none after the last. Throws the exception given to end().
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

  // For the first thread: there are no more values, perhaps because of that failure.
  void end(std::exception_ptr failure) noexcept {
    const std::lock_guard lock(guard_);
    failure_ = std::move(failure);
    ended_ = true;
    changed_.notify_all();
  }

  // For the second thread: it wants no more values.
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

// Reads and prepares the rows of a file in batches, in two threads, a few batches ahead of the caller, who
// may have to wait for the disk. Rows approximately in order of their ids are passed on as they come. Others
// are held back, `held_bytes` at a time, and sorted; meanwhile split batches without rows report progress.
// Questions are extracted according to `text`, and get their fingerprints, sketches and characters; ids need
// none.
class RowPipeline {
 public:
  // Nobody else may use `reader` while this object lives.
  RowPipeline(QuestionReader& reader, RowUse use, const markup::Options& text, std::size_t rows_per_batch,
              std::size_t held_bytes);
  RowPipeline(const RowPipeline&) = delete;
  RowPipeline& operator=(const RowPipeline&) = delete;
  ~RowPipeline();

  // The next batch; none after the last. Rethrows what the threads threw (out of memory).
  std::optional<RowBatch> next() { return prepared_.pop(); }

 private:
  void read();
  void prepare();

  QuestionReader& reader_;
  RowUse use_;
  markup::Options text_;
  std::size_t rows_per_batch_;
  std::size_t held_bytes_;
  BoundedQueue<RowBatch> read_;
  BoundedQueue<RowBatch> prepared_;
  std::jthread reading_;
  std::jthread preparing_;
};

}  // namespace qdedup::import
