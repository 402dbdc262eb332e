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

// Identifies an existing file. Once it is gone, its inode may be reused, by some file systems at once.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

// The file's identity, and what shows whether it changed since the last look, from statx(2).
struct FileSignature {
  FileIdentity identity;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  // nanoseconds since 1970
  std::int64_t born_ns = 0;      // likewise; 0 if the file system does not record it

  friend bool operator==(const FileSignature&, const FileSignature&) = default;
};

// Whether two files with the same identity were born at different times, so that the inode was reused. False
// if either birth is not known (0).
[[nodiscard]] constexpr bool births_differ(std::int64_t one_ns, std::int64_t other_ns) {
  return one_ns != 0 && other_ns != 0 && one_ns != other_ns;
}

// Of the file at a path, or of an open one. None if it cannot be determined, with the reason in errno.
[[nodiscard]] std::optional<FileSignature> signature_of(const std::string& path);
[[nodiscard]] std::optional<FileSignature> signature_of(int descriptor);

// How much of a compressed file can be relied upon: up to the end of its last member with a valid checksum.
struct VerifiedExtent {
  FileSignature of;               // the file at the time
  std::uint64_t bytes = 0;        // unpacked
  bool cut_off = false;           // the file ends within the next member
  std::optional<Error> damage{};  // in the next member
};

// How far verify() has come with a compressed file.
struct Verification {
  FileSignature of;                  // the file at the beginning
  std::shared_ptr<ByteSource> rest;  // to be unpacked; null if none is under way
};

// A regular file, open for reading while the object lives. It has no position of its own, so several readers
// may share it. Errors begin with the path.
class RegularFile {
 public:
  // Follows symbolic links. Anything but a regular file, and `forbidden` files by any name, are refused with
  // ErrorCode::no_input, without opening them: closing one would drop the locks that this process has on it.
  // Does not wait for who has a lease of the file: ErrorCode::io.
  static Result<RegularFile> open(const std::string& path, const std::vector<std::string>& forbidden = {});

  // Takes over an open descriptor, and likewise refuses anything but a regular file.
  static Result<RegularFile> adopt(FileDescriptor descriptor, const std::string& path);

  // `moved` is called on the reading thread after each piece that is read. Set it before the file is shared.
  void on_read(std::function<void()> moved) { moved_ = std::move(moved); }

  // Fills the front of `buffer` from `offset` on, completely unless the file ends.
  [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) const;

  // The first offset from `offset` on that does not lie in a hole, as far as the file system tells; none if
  // there is nothing but a hole, or the end.
  [[nodiscard]] std::optional<std::uint64_t> data_from(std::uint64_t offset) const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const FileIdentity& identity() const { return opened_.identity; }
  [[nodiscard]] std::uint64_t size() const { return opened_.size; }  // when it was opened

  // As it was when opened, and as it is now, wherever its name may have gone.
  [[nodiscard]] const FileSignature& signature_when_opened() const { return opened_; }
  [[nodiscard]] Result<FileSignature> signature() const;

  // What verify() found out about a compressed file, and how far it has come. Only for the thread that reads
  // it.
  [[nodiscard]] const std::optional<VerifiedExtent>& verified() const { return verified_; }
  [[nodiscard]] Verification& verification() const { return verification_; }
  void remember(VerifiedExtent extent) const {
    verified_ = std::move(extent);
    verification_ = {};
  }

 private:
  RegularFile(FileDescriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  FileDescriptor descriptor_;
  std::string path_;
  FileSignature opened_;
  std::function<void()> moved_;
  mutable std::optional<VerifiedExtent> verified_;
  mutable Verification verification_;
};

// The file system as seen by mining and importing.
class Files {
 public:
  // `moved`, if any, is called after each read, on the reading thread. `forbidden` files are not opened.
  explicit Files(std::vector<std::string> forbidden = {}, std::function<void()> moved = {})
      : forbidden_(std::move(forbidden)), moved_(std::move(moved)) {}

  // Opens a regular file, following symbolic links; see RegularFile::open.
  [[nodiscard]] Result<std::shared_ptr<const RegularFile>> open(const std::string& path) const;

  // The same for an argument of a command line: - is standard input, if that is a regular file.
  [[nodiscard]] Result<std::shared_ptr<const RegularFile>> open_argument(const std::string& path) const;

  // Standard input as it is, compressed or not; it may be a pipe.
  [[nodiscard]] std::unique_ptr<ByteSource> standard_input() const;

 private:
  [[nodiscard]] std::shared_ptr<const RegularFile> shared(RegularFile file) const;

  std::vector<std::string> forbidden_;
  std::function<void()> moved_;
};

// The files that currently match any of `globs` (logs/glob.h), by name, without repetition. Where one of them
// is gone by then, all are listed again, as it may have been renamed and be in the list by its old name
// alone.
Result<std::vector<std::string>> matching_paths(const std::vector<std::string>& globs);

// Those of `globs` that no file matches, as far as that can be told.
std::vector<std::string> globs_without_files(const std::vector<std::string>& globs);

}  // namespace qdedup::logs
