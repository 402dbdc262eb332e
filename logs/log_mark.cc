#include "logs/log_mark.h"

#include <algorithm>
#include <array>
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

std::uint64_t RunningMark::head_hash() const { return bytes_hash(head_); }

LogMark RunningMark::mark() const {
  if (offset_ == 0) return {};
  return {offset_, head_hash(), bytes_hash(tail_)};
}

std::uint64_t bytes_hash(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint32_t line_hash(std::string_view line) { return static_cast<std::uint32_t>(bytes_hash(line)); }

std::uint32_t first_line_hash(std::string_view hashes) {
  std::uint32_t hash = 0;
  for (std::size_t i = line_hash_bytes; i-- > 0;) hash = hash << 8U | static_cast<unsigned char>(hashes[i]);
  return hash;
}

std::string line_hashes(std::string_view lines) {
  std::string hashes;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n') + 1);
    const std::uint32_t hash = line_hash(line);
    const std::array bytes = {static_cast<char>(hash), static_cast<char>(hash >> 8U),
                              static_cast<char>(hash >> 16U), static_cast<char>(hash >> 24U)};
    hashes.append(bytes.data(), bytes.size());
    lines.remove_prefix(line.size());
  }
  return hashes;
}

}  // namespace qdedup::logs
