#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

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

// What a descriptor gives as it is read on, be it a file, a pipe or a terminal. Whoever opened it closes it.
class StreamSource final : public ByteSource {
 public:
  static constexpr const char* standard_input = "standard input";

  // Errors begin with `name`.
  StreamSource(int descriptor, std::string name);

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  int descriptor_;
  std::string name_;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace qdedup::logs
