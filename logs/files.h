#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::logs {

class ByteSource;

// Which file it is, while it is there. When it is gone, its inode is given to another one, by some file
// systems at once.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

// What statx(2) says of a file: which it is, and whether it changed since the last look.
struct FileSignature {
  FileIdentity identity;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  // nanoseconds since 1970
  std::int64_t born_ns = 0;      // the same; 0 where the file system keeps none

  friend bool operator==(const FileSignature&, const FileSignature&) = default;
};

// Of what a path leads to, and of what is open. Nothing, with the reason in errno, where that is not to be
// had.
[[nodiscard]] std::optional<FileSignature> signature_of(const std::string& path);
[[nodiscard]] std::optional<FileSignature> signature_of(int descriptor);

// How far the content of a compressed file can be relied upon: to the end of its last member whose checksum
// holds.
struct VerifiedExtent {
  FileSignature of;               // as the file was
  std::uint64_t bytes = 0;        // unpacked
  bool cut_off = false;           // the file ends within the member after that
  std::optional<Error> damage{};  // of the member after that
};

// A regular file, open for reading until the end of its life. It has no position of its own: several readers
// may share it. Errors begin with the path.
class RegularFile {
 public:
  // Follows symbolic links. What is no regular file, or is one of `forbidden` by whatever name, is refused
  // with ErrorCode::no_input, without opening it: to close it would drop the locks that this process has on
  // it.
  static Result<RegularFile> open(const std::string& path, const std::vector<std::string>& forbidden = {});

  // Takes an open descriptor over, and refuses what is no regular file in the same manner.
  static Result<RegularFile> adopt(FileDescriptor descriptor, const std::string& path);

  // `moved` is called after each piece that is read, on the thread that reads: to be set before the file is
  // shared.
  void on_read(std::function<void()> moved) { moved_ = std::move(moved); }

  // Fills the front of `buffer` from `offset` on; fewer bytes than it holds only at the end of the file.
  [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const FileIdentity& identity() const { return opened_.identity; }
  [[nodiscard]] std::uint64_t size() const { return opened_.size; }  // when it was opened

  // As it was when it was opened, and as it is now, wherever its name may have gone.
  [[nodiscard]] const FileSignature& signature_when_opened() const { return opened_; }
  [[nodiscard]] Result<FileSignature> signature() const;

  // What was found out of a compressed file (unpack_verified), for the thread that reads it.
  [[nodiscard]] const std::optional<VerifiedExtent>& verified() const { return verified_; }
  void remember(VerifiedExtent extent) const { verified_ = std::move(extent); }

 private:
  RegularFile(FileDescriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}
  Status identify();

  FileDescriptor descriptor_;
  std::string path_;
  FileSignature opened_;
  std::function<void()> moved_;
  mutable std::optional<VerifiedExtent> verified_;
};

// The file system as mining and importing see it.
class Files {
 public:
  // `moved`, if any, is called after each read, on the thread that reads. `forbidden` are not opened.
  explicit Files(std::vector<std::string> forbidden = {}, std::function<void()> moved = {})
      : forbidden_(std::move(forbidden)), moved_(std::move(moved)) {}

  // Opens a regular file, following symbolic links; see RegularFile::open.
  [[nodiscard]] Result<std::shared_ptr<const RegularFile>> open(const std::string& path) const;

  // Standard input as it is, packed or not; a pipe will do.
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> standard_input() const;

 private:
  std::vector<std::string> forbidden_;
  std::function<void()> moved_;
};

// The files that match any of `globs` (glob(7)) at this moment, each once, by name. An error where no
// descriptor or memory is left to look; folders that cannot be read hold none.
Result<std::vector<std::string>> matching_paths(const std::vector<std::string>& globs);

}  // namespace qdedup::logs
