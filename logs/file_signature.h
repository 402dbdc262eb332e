#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace qdedup::logs {

// Which file it is, while it is there. When it is gone, its inode is given to another one, by some file
// systems at once.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

// What statx(2) tells of a file: who it is, and whether it changed since it was looked at last.
struct FileSignature {
  FileIdentity identity;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  // nanoseconds since 1970
  std::int64_t born_ns = 0;      // the same; 0 where the file system does not tell

  friend bool operator==(const FileSignature&, const FileSignature&) = default;
};

// Of what a path leads to, and of what is open. Nothing, with the reason in errno, where that cannot be told.
[[nodiscard]] std::optional<FileSignature> signature_of(const std::string& path);
[[nodiscard]] std::optional<FileSignature> signature_of(int descriptor);

}  // namespace qdedup::logs
