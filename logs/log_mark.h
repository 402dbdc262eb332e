#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace qdedup::logs {

// How far a log was read, and hashes of its unpacked content that identify it under another name or
// compression. The offset is always the end of a complete line. XXH3 64-bit.
struct LogMark {
  static constexpr std::size_t window = 1024;

  std::uint64_t offset = 0;     // in unpacked bytes
  std::uint64_t head_hash = 0;  // of the first min(offset, window) bytes
  std::uint64_t tail_hash = 0;  // of the last min(offset, window) bytes before the offset

  friend bool operator==(const LogMark&, const LogMark&) = default;
};

// The mark of a position that advances through a log. Each advance copies at most two windows of bytes.
class RunningMark {
 public:
  RunningMark() = default;

  // At `offset`, with the first and the last min(offset, window) bytes before it.
  RunningMark(std::uint64_t offset, std::string head, std::string tail);

  void advance(std::string_view bytes);

  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] std::uint64_t head_hash() const;

  // All zeros at the very beginning.
  [[nodiscard]] LogMark mark() const;

 private:
  std::uint64_t offset_ = 0;
  std::string head_;
  std::string tail_;
};

// The hash of a mark's bytes.
[[nodiscard]] std::uint64_t bytes_hash(std::string_view bytes);

// Concatenated hashes of lines, which show how many lines of a log recur in another file. For each line,
// including its newline, the low 32 bits of its XXH3 64-bit hash, little-endian.
inline constexpr std::size_t line_hash_bytes = 4;

[[nodiscard]] std::uint32_t line_hash(std::string_view line);

// The first one in `hashes`.
[[nodiscard]] std::uint32_t first_line_hash(std::string_view hashes);

// The hashes of all lines in `lines`, each of which ends with a newline.
[[nodiscard]] std::string line_hashes(std::string_view lines);

}  // namespace qdedup::logs
