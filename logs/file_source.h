#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"
#include "logs/byte_source.h"
#include "logs/regular_file.h"

namespace qdedup::logs {

// The bytes of a file as they are, from `offset` on. At the end of a file that grows, reading may go on
// later.
class FileSource final : public ByteSource {
 public:
  FileSource(std::shared_ptr<const RegularFile> file, std::uint64_t offset);

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return offset_; }

 private:
  std::shared_ptr<const RegularFile> file_;
  std::uint64_t offset_;
};

// The bytes of standard input as they are. Whoever opened it closes it.
class StandardInput final : public ByteSource {
 public:
  static constexpr const char* name = "standard input";

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  std::uint64_t bytes_read_ = 0;
};

}  // namespace qdedup::logs
