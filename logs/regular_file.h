#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"
#include "logs/file_signature.h"

namespace qdedup::logs {

// A regular file, open for reading until the end of its life. It has no position of its own: several readers
// may share it. Errors begin with the path.
class RegularFile {
 public:
  // Follows symbolic links. What is no regular file is refused with ErrorCode::no_input, without waiting for
  // it.
  static Result<RegularFile> open(const std::string& path);

  // Takes an open descriptor over, and refuses what is no regular file in the same manner.
  static Result<RegularFile> adopt(int descriptor, const std::string& path);

  RegularFile(RegularFile&& other) noexcept;
  RegularFile& operator=(RegularFile&& other) = delete;
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  ~RegularFile();

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

 private:
  RegularFile(int descriptor, std::string path);
  Status identify();

  int descriptor_;
  std::string path_;
  FileSignature opened_;
  std::function<void()> moved_;
};

}  // namespace qdedup::logs
