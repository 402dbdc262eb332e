#include "base/draft_file.h"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/links.h"
#include "base/secret.h"

namespace qdedup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".part-";
constexpr std::size_t random_digits = 16;

Status synced(bool done, const FilePlace& place) {
  return done ? Status() : Status(errno_error(place.shown(), errno));
}

bool is_draft_of(std::string_view name, std::string_view target) {
  if (!name.starts_with(target)) return false;
  name.remove_prefix(target.size());
  if (!name.starts_with(mark)) return false;
  name.remove_prefix(mark.size());
  return name.size() == random_digits && name.find_first_not_of(secret_digits) == std::string_view::npos;
}

// The draft has the name of its folder, so that in any other folder that somebody put in its place, no file
// is taken for it.
std::string draft_in(const std::string& folder_path) { return fs::path(folder_path).filename().string(); }

// Somebody who may write beside the target could have put another folder, or a link, in its place.
FileDescriptor open_own_folder(const std::string& path) {
  FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));  // NOLINT
  struct stat about {};
  if (!folder.open() || ::fstat(folder.number(), &about) != 0) return {};
  const bool is_own = about.st_uid == ::geteuid() && (about.st_mode & 0077U) == 0;
  return is_own ? std::move(folder) : FileDescriptor();
}

void remove_folder(const std::string& path, const FileDescriptor& folder) {
  ::unlinkat(folder.number(), draft_in(path).c_str(), 0);
  ::rmdir(path.c_str());  // fails where another one is there by now that has something in it
}

void remove_left_over(const fs::path& target) {
  const Result<std::vector<std::string>> names = names_in(target.parent_path().string());
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    if (!is_draft_of(name, target.filename().string())) continue;
    const std::string path = target.parent_path() / name;
    const FileDescriptor folder = open_own_folder(path);
    if (folder.open() && ::flock(folder.number(), LOCK_EX | LOCK_NB) == 0) remove_folder(path, folder);
  }
}

constexpr const char* acl_name = "system.posix_acl_access";

// Empty without one; none if it cannot be read.
std::optional<std::string> acl_of(const FileDescriptor& file) {
  std::string acl(std::size_t{1} << 16U, '\0');  // the most that Linux stores
  const ssize_t size = ::getxattr(path_of(file).c_str(), acl_name, acl.data(), acl.size());
  if (size < 0) return errno == ENODATA || errno == ENOTSUP ? std::optional<std::string>("") : std::nullopt;
  acl.resize(static_cast<std::size_t>(size));
  return acl;
}

bool take_over_acl(const FileDescriptor& from, int draft) {
  const std::optional<std::string> acl = acl_of(from);
  if (!acl) return false;
  if (!acl->empty()) return ::fsetxattr(draft, acl_name, acl->data(), acl->size(), 0) == 0;
  return ::fremovexattr(draft, acl_name) == 0 || errno == ENODATA || errno == ENOTSUP;
}

}  // namespace

Result<FilePlace> FilePlace::of(const std::string& path, std::string shown) {
  const fs::path place(path);
  const fs::path name = place.filename();
  if (name.empty() || name == "." || name == "..") return cannot_create(shown, EISDIR);
  FileDescriptor folder = open_folder(place.parent_path());
  if (!folder.open() && errno == ENOENT) {
    return Error{ErrorCode::cannot_create, shown + ": there is no folder " + place.parent_path().string() +
                                               "; make it first with `mkdir -p`"};
  }
  if (!folder.open()) return cannot_create(shown, errno);
  return FilePlace(std::move(folder), name.string(), std::move(shown));
}

FilePlace::FilePlace(FileDescriptor folder, const std::string& name, std::string shown)
    : folder_(std::move(folder)), path_(path_of(folder_) + '/' + name), shown_(std::move(shown)) {}

bool FilePlace::others_may_write() const {
  struct stat about {};
  if (::fstat(folder_.number(), &about) != 0) return true;
  return qdedup::others_may_write(about);
}

FileDescriptor FilePlace::look() const {
  return FileDescriptor(::open(path_.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));  // NOLINT(*-vararg)
}

DraftFile::DraftFile(const FilePlace& target, std::string folder_path, FileDescriptor folder, mode_t mode)
    : target_(&target),
      folder_path_(std::move(folder_path)),
      folder_(std::move(folder)),
      path_(path_of(folder_) + '/' + draft_in(folder_path_)),
      mode_(mode) {}

DraftFile::~DraftFile() {
  if (folder_.open()) remove_folder(folder_path_, folder_);
}

Result<DraftFile> DraftFile::beside(const FilePlace& target, mode_t mode) {
  remove_left_over(target.path());
  // Tries again if another process removed the file as a leftover before it was locked.
  constexpr int tries = 100;
  for (int i = 0; i < tries; ++i) {
    const std::string path = target.path() + std::string(mark) + new_secret(random_digits);
    if (::mkdir(path.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return cannot_create(target.shown(), errno);
    }
    DraftFile draft(target, path, open_own_folder(path), mode);
    if (!draft.folder_.open() && ::rmdir(path.c_str()) == 0) {
      return Error{ErrorCode::cannot_create,
                   target.shown() +
                       ": its file system keeps no folder private; write to another one and copy the file"};
    }
    if (!draft.folder_.open() || ::flock(draft.folder_.number(), LOCK_EX | LOCK_NB) != 0) continue;
    draft.file_ = FileDescriptor(::open(draft.path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,  // NOLINT
                                        mode));
    if (draft.file_.open()) return draft;
    if (errno != ENOENT) return cannot_create(target.shown(), errno);
  }
  return cannot_create(target.shown(), EEXIST);
}

// False if permissions cannot be set.
bool DraftFile::take_over_access() const {
  const FileDescriptor place = target_->look();
  struct stat replaced {};
  struct stat made {};
  if (!place.open() || ::fstat(place.number(), &replaced) != 0 || !S_ISREG(replaced.st_mode)) return true;
  const int draft = file_.number();
  if (::fstat(draft, &made) != 0) return false;
  mode_t most = mode_;
  bool is_shared = replaced.st_uid == ::geteuid();
  if (target_->others_may_write()) {
    const std::optional<std::string> acl = acl_of(place);
    is_shared = is_shared && replaced.st_gid == made.st_gid && acl && acl == acl_of(file_);
    most &= made.st_mode;
  } else if (is_shared) {
    is_shared = ::fchown(draft, static_cast<uid_t>(-1), replaced.st_gid) == 0 && take_over_acl(place, draft);
  }
  return ::fchmod(draft, is_shared ? replaced.st_mode & most : mode_t{0600}) == 0;
}

Status DraftFile::replace() {
  if (!take_over_access()) return cannot_create(target_->shown(), errno);
  QDEDUP_TRY(synced(::fsync(file_.number()) == 0, *target_));
  if (::rename(path_.c_str(), target_->path().c_str()) != 0) return cannot_create(target_->shown(), errno);
  return synced(sync_folder_of(target_->path()), *target_);
}

Status DraftFile::put() {
  QDEDUP_TRY(synced(::fsync(file_.number()) == 0, *target_));
  if (::link(path_.c_str(), target_->path().c_str()) == 0)
    return synced(sync_folder_of(target_->path()), *target_);
  const int reason = errno;
  struct stat there {};
  if (reason != EPERM || ::lstat(target_->path().c_str(), &there) == 0)  // EPERM: no hard links here
    return cannot_create(target_->shown(), reason == EPERM ? EEXIST : reason);
  return replace();
}

}  // namespace qdedup
