#pragma once

#include <string>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup {

// A file in the making beside its target, removed with this object unless it was put in place. Nobody else
// can have made it. What a killed process left is removed with the next draft for the same target, as its
// lock is free.
class DraftFile {
 public:
  // ErrorCode::cannot_create if there can be none. `mode` as for open().
  static Result<DraftFile> beside(const std::string& target, mode_t mode);

  DraftFile(DraftFile&& other) noexcept;
  DraftFile& operator=(DraftFile&&) = delete;
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;
  ~DraftFile();

  // Whoever may write to the folder can put another file at the path: writing by path instead of descriptor
  // must follow no link, and expect_in_place() be called before and after.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return file_.number(); }

  // ErrorCode::cannot_create if another file is at the path.
  [[nodiscard]] Status expect_in_place() const;

  // Renames it to `target`, replacing any file there, and syncs it and its folder. ErrorCode::cannot_create.
  Status replace(const std::string& target);
  // The same, but fails if there is a file.
  Status put(const std::string& target);

 private:
  DraftFile(std::string path, FileDescriptor file);

  std::string path_;
  FileDescriptor file_;
};

}  // namespace qdedup
