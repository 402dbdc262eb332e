#pragma once

#include <string>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup {

// Where a file is to go: a name in a folder that is held open, so that renaming a folder on the way, or
// putting a link there, does not redirect it.
class FilePlace {
 public:
  // `path` is absolute, and none of its folders is a symbolic link. `shown` is its name in errors. Fails with
  // ErrorCode::cannot_create.
  static Result<FilePlace> of(const std::string& path, std::string shown);

  // Goes through the open folder, so it is valid while this object lives.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& shown() const { return shown_; }

  // Whether others may put files in its folder; even where that is sticky, another file of this user.
  [[nodiscard]] bool others_may_write() const;

  // What is there, opened for neither reading nor writing; a link is not followed.
  [[nodiscard]] FileDescriptor look() const;

 private:
  FilePlace(FileDescriptor folder, const std::string& name, std::string shown);

  FileDescriptor folder_;
  std::string path_;
  std::string shown_;
};

// A file under construction, in a folder of its own beside its target that nobody else can look into. Both
// are removed with this object, except a file that was put in place. What a killed process left is removed by
// the next draft for the same target, since its lock is free.
class DraftFile {
 public:
  // Fails with ErrorCode::cannot_create. `mode` as for open(), the most access that anybody gets. `target`
  // must outlive the draft.
  static Result<DraftFile> beside(const FilePlace& target, mode_t mode);

  DraftFile(DraftFile&&) noexcept = default;
  DraftFile& operator=(DraftFile&&) = delete;
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;
  ~DraftFile();

  // Goes through its folder, so it is valid while this object lives.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const FileDescriptor& file() const { return file_; }

  // Renames it to its target, replacing any file there, and syncs both it and its folder. Who had no access
  // to that file gets none: the draft takes over its group, permissions and ACL, or, where it cannot or that
  // file is another user's, is for the owner only. Where others may put files it takes over nothing, as
  // the file may be another one than the user believes, and keeps only those of its own permissions that the
  // file has too. Fails with ErrorCode::cannot_create.
  Status replace();
  // The same, but fails if the target exists; where the file system has no hard links, only if it existed
  // when this was called.
  Status put();

 private:
  DraftFile(const FilePlace& target, std::string folder_path, FileDescriptor folder, mode_t mode);
  [[nodiscard]] bool take_over_access() const;

  const FilePlace* target_;
  std::string folder_path_;
  FileDescriptor folder_;
  std::string path_;
  FileDescriptor file_;
  mode_t mode_;
};

}  // namespace qdedup
