#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "logs/regular_file.h"

namespace qdedup::logs {

enum class Compression { none, gzip, zstd };

// Bytes that are read once, from front to back; compressed ones arrive unpacked.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills the front of `buffer` and says how many bytes it got; 0 at the end, where a file that grows may be
  // read again. Damaged compressed data is ErrorCode::data. What was packed before the damage is delivered
  // first: with gzip all but what shares the last byte with it, with zstd up to its block of 128 KiB at most.
  // Damage that only a checksum shows is reported at the end of its member, after its bytes.
  // Memory does not depend on the size of the data.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;

  // After the end: did the data end within a compressed member, so that more must follow one day?
  [[nodiscard]] virtual bool cut_off() const { return false; }

  // How many of the unpacked bytes that were delivered stand in members that ended as they should: checksum
  // and length hold, where the format has them.
  [[nodiscard]] virtual std::uint64_t verified() const { return 0; }

  // How much of the file itself was read so far, in bytes: for progress.
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
};

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
