#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "logs/byte_source.h"
#include "logs/file_signature.h"
#include "logs/regular_file.h"

namespace qdedup::logs {

// The file system as mining and importing see it.
class Files {
 public:
  Files() = default;
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  virtual ~Files() = default;

  // Opens a regular file, following symbolic links; see RegularFile::open. Errors begin with the path.
  [[nodiscard]] virtual Result<std::shared_ptr<const RegularFile>> open(const std::string& path) const = 0;

  // Of the file that open() would open now; nothing if there is none.
  [[nodiscard]] virtual std::optional<FileSignature> signature(const std::string& path) const = 0;

  // Standard input as it is, packed or not; a pipe will do.
  [[nodiscard]] virtual Result<std::unique_ptr<ByteSource>> standard_input() const = 0;
};

// The files of this process.
class DiskFiles final : public Files {
 public:
  // `moved`, if any, is told of each read (RegularFile::on_read).
  explicit DiskFiles(std::function<void()> moved = {}) : moved_(std::move(moved)) {}

  [[nodiscard]] Result<std::shared_ptr<const RegularFile>> open(const std::string& path) const override;
  [[nodiscard]] std::optional<FileSignature> signature(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> standard_input() const override;

 private:
  std::function<void()> moved_;
};

// Files that another process opened, or failed to open, and handed over: by the path as it was spelled there,
// "-" for its standard input. A path that was not handed is looked for on the disk.
class HandedFiles final : public Files {
 public:
  // `moved` as for DiskFiles.
  explicit HandedFiles(std::function<void()> moved = {}) : moved_(moved), disk_(std::move(moved)) {}
  ~HandedFiles() override;

  // Takes the descriptor over. Opened O_RDONLY; flags and position do not matter for files.
  void hand(const std::string& path, int descriptor);
  // Opening failed there with this errno.
  void hand_failure(const std::string& path, int errno_value);

  [[nodiscard]] Result<std::shared_ptr<const RegularFile>> open(const std::string& path) const override;
  [[nodiscard]] std::optional<FileSignature> signature(const std::string& path) const override;

  // The descriptor handed as "-"; it stays open, and its position moves on.
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> standard_input() const override;

 private:
  struct Handed {
    int descriptor = -1;
    int failure = 0;  // errno, when there is no descriptor
  };

  [[nodiscard]] const Handed* find(const std::string& path) const;
  void put(const std::string& path, Handed handed);

  std::map<std::string, Handed> handed_;
  std::function<void()> moved_;
  DiskFiles disk_;
};

}  // namespace qdedup::logs
