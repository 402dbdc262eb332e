#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "base/file_descriptor.h"

namespace qdedup::daemon {

// How many descriptors clients may have in the server that no handler has taken yet, over all connections.
class DescriptorBudget {
 public:
  explicit DescriptorBudget(std::size_t limit) : left_(limit) {}

  [[nodiscard]] bool take() { return left_ > 0 && left_-- > 0; }
  void give_back(std::size_t count) { left_ += count; }

 private:
  std::size_t left_;
};

// The descriptors that came over one connection, in order.
class DescriptorQueue {
 public:
  explicit DescriptorQueue(std::shared_ptr<DescriptorBudget> budget) : budget_(std::move(budget)) {}
  ~DescriptorQueue() { clear(); }
  DescriptorQueue(const DescriptorQueue&) = delete;
  DescriptorQueue& operator=(const DescriptorQueue&) = delete;

  // False, and `descriptor` is closed, when the budget is used up.
  bool push(FileDescriptor descriptor);

  [[nodiscard]] std::size_t size() const { return descriptors_.size(); }

  // The first `count`, which is at most size().
  std::vector<FileDescriptor> take(std::size_t count);

  // Closes all.
  void clear();

 private:
  std::shared_ptr<DescriptorBudget> budget_;
  std::deque<FileDescriptor> descriptors_;
};

}  // namespace qdedup::daemon
