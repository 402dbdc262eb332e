#pragma once

#include <cstdint>
#include <utility>

struct stat;

namespace qdedup::logs {

// What stat(2) tells of a file: who it is, and whether it changed since it was looked at last.
struct FileSignature {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  // nanoseconds since 1970

  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> identity() const { return {device, inode}; }

  friend bool operator==(const FileSignature&, const FileSignature&) = default;
};

FileSignature signature_of(const struct stat& status);

}  // namespace qdedup::logs
