#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"

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
  // Damage that only a checksum shows is told at the end of its member, when the bytes have been delivered.
  // Memory does not depend on the size of the data.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;

  // After the end: did the data end within a compressed member, so that more must follow one day?
  [[nodiscard]] virtual bool cut_off() const { return false; }

  // How much of the file itself was read so far, in bytes: for progress.
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
};

}  // namespace qdedup::logs
