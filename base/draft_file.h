#pragma once

#include <string>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup {

// Where a file is to be: a name in a folder that is held open, so that whoever renames a folder on the way,
// or puts a link there, leads it nowhere else.
class FilePlace {
 public:
  // `path` is absolute, and no folder of it is a symbolic link. `shown` is what errors call it.
  // ErrorCode::cannot_create.
  static Result<FilePlace> of(const std::string& path, std::string shown);

  // By way of the folder, while this object lives.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  FilePlace(FileDescriptor folder, const std::string& name, std::string shown);

  FileDescriptor folder_;
  std::string path_;
  std::string shown_;
};

// A file in the making, in a folder of its own beside its target into which nobody else can look. Both go
// with this object, but for a file that was put in place. What a killed process left is removed with the next
// draft for the same target, as its lock is free.
class DraftFile {
 public:
  // ErrorCode::cannot_create if there can be none. `mode` as for open(). `target` must outlive the draft.
  static Result<DraftFile> beside(const FilePlace& target, mode_t mode);

  DraftFile(DraftFile&&) noexcept = default;
  DraftFile& operator=(DraftFile&&) = delete;
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;
  ~DraftFile();

  // By way of its folder, while this object lives.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const FileDescriptor& file() const { return file_; }

  // Renames it to its target, replacing any file there, and syncs it and its folder.
  // ErrorCode::cannot_create.
  Status replace();
  // The same, but fails if there is a file.
  Status put();

 private:
  DraftFile(const FilePlace& target, std::string folder_path, FileDescriptor folder);

  const FilePlace* target_;
  std::string folder_path_;
  FileDescriptor folder_;
  std::string path_;
  FileDescriptor file_;
};

}  // namespace qdedup
