#include "daemon/descriptor_queue.h"

#include <utility>

namespace qdedup::daemon {

bool DescriptorQueue::push(FileDescriptor descriptor) {
  if (!budget_->take()) return false;
  descriptors_.push_back(std::move(descriptor));
  return true;
}

std::vector<FileDescriptor> DescriptorQueue::take(std::size_t count) {
  std::vector<FileDescriptor> taken;
  taken.reserve(count);
  for (; count > 0; --count) {
    taken.push_back(std::move(descriptors_.front()));
    descriptors_.pop_front();
  }
  budget_->give_back(taken.size());
  return taken;
}

void DescriptorQueue::clear() { take(descriptors_.size()); }

}  // namespace qdedup::daemon
