#include "logs/log_mark.h"

#include <algorithm>
#include <utility>

#include <xxhash.h>

namespace qdedup::logs {

RunningMark::RunningMark(std::uint64_t offset, std::string head, std::string tail)
    : offset_(offset), head_(std::move(head)), tail_(std::move(tail)) {}

void RunningMark::advance(std::string_view bytes) {
  offset_ += bytes.size();
  head_ += bytes.substr(0, LogMark::window - head_.size());
  const std::string_view last = bytes.substr(bytes.size() - std::min(bytes.size(), LogMark::window));
  const std::size_t kept = std::min(tail_.size(), LogMark::window - last.size());
  tail_.erase(0, tail_.size() - kept);
  tail_ += last;
}

std::uint64_t RunningMark::head_hash() const { return XXH3_64bits(head_.data(), head_.size()); }

LogMark RunningMark::mark() const {
  if (offset_ == 0) return {};
  return {offset_, head_hash(), XXH3_64bits(tail_.data(), tail_.size())};
}

}  // namespace qdedup::logs
