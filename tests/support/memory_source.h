#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "logs/byte_source.h"

namespace qdedup {

// Bytes in memory as a source, given out in portions of `portion` bytes at most. They may grow after their
// end was seen.
class MemorySource final : public logs::ByteSource {
 public:
  explicit MemorySource(std::shared_ptr<const std::string> bytes,
                        std::size_t portion = std::numeric_limits<std::size_t>::max())
      : bytes_(std::move(bytes)), portion_(portion) {}
  explicit MemorySource(std::string bytes, std::size_t portion = std::numeric_limits<std::size_t>::max())
      : MemorySource(std::make_shared<const std::string>(std::move(bytes)), portion) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = bytes_->copy(buffer.data(), std::min(portion_, buffer.size()), taken_);
    taken_ += count;
    return count;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return taken_; }

 private:
  std::shared_ptr<const std::string> bytes_;
  std::size_t portion_;
  std::size_t taken_ = 0;
};

}  // namespace qdedup
