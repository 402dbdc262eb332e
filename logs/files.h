#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "logs/byte_source.h"
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
  // `moved`, if any, is called after each read (RegularFile::on_read). `forbidden` are not opened.
  explicit DiskFiles(std::vector<std::string> forbidden = {}, std::function<void()> moved = {})
      : forbidden_(std::move(forbidden)), moved_(std::move(moved)) {}

  [[nodiscard]] Result<std::shared_ptr<const RegularFile>> open(const std::string& path) const override;
  [[nodiscard]] std::optional<FileSignature> signature(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> standard_input() const override;

 private:
  std::vector<std::string> forbidden_;
  std::function<void()> moved_;
};

// The files that match any of `globs` (glob(7)) at this moment, each once, by name. An error where no
// descriptor or memory is left to look; folders that cannot be read hold none.
Result<std::vector<std::string>> matching_paths(const std::vector<std::string>& globs);

}  // namespace qdedup::logs
