#include "db/state_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/links.h"
#include "base/user_name.h"

namespace qdedup::db {
namespace {

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Error refused(const std::string& path, const std::string& what) {
  return {ErrorCode::data, path + ": " + what + ", which no file of a state may be; nothing was changed"};
}

bool is_group_writable(const struct stat& folder) { return (folder.st_mode & S_IWGRP) != 0; }

// Files made by members of the group belong to those members.
bool is_trusted_owner(const struct stat& file, const struct stat& folder) {
  return is_of_root_or_own(file) || file.st_uid == folder.st_uid ||
         (is_group_writable(folder) && file.st_gid == folder.st_gid);
}

Status check(const std::string& path, const struct stat& file) {
  if (S_ISLNK(file.st_mode)) return refused(path, "is a symbolic link");
  if (!S_ISREG(file.st_mode)) return refused(path, "is no regular file");
  if (file.st_nlink > 1) return refused(path, "has another name (a hard link)");
  struct stat folder {};
  if (::stat(folder_of(path).c_str(), &folder) != 0) return errno_error(path, errno);
  if (is_trusted_owner(file, folder)) return {};
  return refused(path, "belongs to user " + std::to_string(file.st_uid) + ", who does not own its folder");
}

Error cannot_open(const std::string& path, int reason) {
  if (reason == ELOOP) return refused(path, "is a symbolic link");
  return cannot_create(path, reason);
}

Error state_file(const std::string& path, const std::string& why) {
  return {ErrorCode::cannot_create, path + ": " + why + "; it was not written. Choose another place"};
}

// The path with all links resolved. Anyone who may write to a folder on the way could redirect the output.
Result<std::filesystem::path> without_links(const std::string& path) {
  Result<ResolvedPath> resolved = resolve_links(path);
  if (!resolved.ok()) return Error{ErrorCode::cannot_create, resolved.error().message};
  for (const Link& link : resolved->links) {
    if (link.owner == 0 || link.owner == ::geteuid()) continue;
    return Error{ErrorCode::cannot_create, path + ": goes through " + link.path.string() + ", a link of " +
                                               unix_user(link.owner) +
                                               "; it was not written. Choose another place"};
  }
  return std::move(resolved->place);
}

// Fails if `path` is a file of the state. `shown` is what the error calls it.
Status expect_elsewhere(const std::string& shown, const std::string& path, const StateFolder& in_use) {
  std::error_code failure;
  for (const std::string& file : in_use.files()) {
    if (std::filesystem::equivalent(path, file, failure) && !failure) {
      return state_file(
          shown, "is " + std::filesystem::path(file).filename().string() + " of the state " + in_use.path());
    }
  }
  const std::filesystem::path place =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failure), failure);
  const StateFolder folder(place.parent_path().string());
  if (!std::filesystem::exists(folder.lock_path(), failure)) return {};
  const std::vector<std::string> names = {folder.store_path(), folder.bank_path(), folder.lock_path(),
                                          folder.socket_path()};
  // bank.db, bank.db-wal, bank.db.new
  const auto names_place = [path = place.string()](const std::string& name) {
    return path.starts_with(name) &&
           (path.size() == name.size() || path[name.size()] == '-' || path[name.size()] == '.');
  };
  if (std::ranges::none_of(names, names_place)) return {};
  return state_file(shown, "would be " + place.filename().string() + " of the state " + folder.path());
}

}  // namespace

Status make_state_folder(const std::string& path) {
  std::error_code failure;
  std::filesystem::path folder;
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    folder /= part;
    if (std::filesystem::is_directory(folder, failure)) continue;
    const bool is_there =
        ::mkdir(folder.c_str(), 0750) == 0 ? sync_folder_of(folder.string()) : errno == EEXIST;
    if (!is_there) return cannot_create(folder.string(), errno);
  }
  const std::filesystem::path itself = std::filesystem::canonical(path, failure);
  for (std::filesystem::path place = itself; !place.empty(); place = place.parent_path()) {
    struct stat about {};
    const bool is_open = ::stat(place.c_str(), &about) == 0 && (about.st_mode & S_IWOTH) != 0;
    if (is_open && (place == itself || (about.st_mode & S_ISVTX) == 0)) {
      return Error{ErrorCode::cannot_create, place.string() +
                                                 ": everybody may write to this folder: chmod o-w it, "
                                                 "or choose another place"};
    }
    if (place == place.root_path()) break;
  }
  return {};
}

mode_t state_file_mode(const std::string& folder) {
  struct stat about {};
  return ::stat(folder.c_str(), &about) == 0 && is_group_writable(about) ? 0660 : 0640;
}

Result<FileDescriptor> open_state_file(const std::string& path, Readers readers) {
  constexpr int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  // With this mode, an ACL inherited from the folder grants nothing yet.
  FileDescriptor file(::open(path.c_str(), flags | O_CREAT | O_EXCL, 0600));  // NOLINT(*-vararg)
  const bool made = file.open();
  if (!made && errno == EEXIST) file = FileDescriptor(::open(path.c_str(), flags));  // NOLINT(*-vararg)
  if (!file.open()) return cannot_open(path, errno);
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return errno_error(path, errno);
  if (!made) QDEDUP_TRY(check(path, about));
  // Fails if there is no ACL, or if somebody else owns the file, who has then done this already.
  if (readers == Readers::none) static_cast<void>(::fremovexattr(file.number(), "system.posix_acl_access"));
  const mode_t mode = state_file_mode(folder_of(path));
  const bool for_owner_only = readers == Readers::none && (mode & S_IWGRP) == 0;
  if (made && ::fchmod(file.number(), for_owner_only ? 0600 : mode) != 0) return errno_error(path, errno);
  return file;
}

Status check_state_file(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0)
    return errno == ENOENT ? Status() : Status(errno_error(path, errno));
  return check(path, about);
}

Result<FilePlace> output_place(const std::string& path, const StateFolder& in_use) {
  QDEDUP_ASSIGN_OR_RETURN(const std::filesystem::path resolved, without_links(path));
  QDEDUP_ASSIGN_OR_RETURN(FilePlace place, FilePlace::of(resolved.string(), path));
  QDEDUP_TRY(expect_elsewhere(path, place.path(), in_use));
  std::error_code failure;
  if (std::filesystem::is_directory(place.path(), failure)) return cannot_create(path, EISDIR);
  return place;
}

std::optional<int> refuse_state_files(const StateFolder& in_use,
                                      const std::function<void(const Error&)>& report) {
  constexpr int refused = static_cast<int>(ErrorCode::cannot_create);
  if (!expect_elsewhere("/dev/stderr", "/dev/stderr", in_use).ok()) return refused;
  const Status place = expect_elsewhere("/dev/stdout", "/dev/stdout", in_use);
  if (place.ok()) return std::nullopt;
  report(place.error());
  return refused;
}

std::vector<std::string> StateFolder::files() const {
  std::vector<std::string> files = {lock_path(), socket_path()};
  for (const std::string& database : {store_path(), bank_path()}) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal", ".new"}) files.push_back(database + suffix);
  }
  return files;
}

Result<StateLock> StateLock::acquire(const StateFolder& folder) {
  const std::string path = folder.lock_path();
  // Anyone who may read a file may lock it.
  QDEDUP_ASSIGN_OR_RETURN(FileDescriptor file, open_state_file(path, Readers::none));
  StateLock lock(std::move(file));
  if (::flock(lock.file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return errno_error(path, errno);
    return Error{ErrorCode::busy,
                 folder.path() + ": another qdedup works on this state; try again when it is done"};
  }
  return lock;
}

DatabaseFiles::DatabaseFiles(const std::string& path) : paths_{path, path + "-wal", path + "-shm"} {
  for (std::size_t i = 0; i < paths_.size(); ++i) opened_.at(i) = identity_of(paths_.at(i));
}

Status DatabaseFiles::check() const {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const std::optional<Identity> now = identity_of(paths_.at(i));
    if (now == opened_.at(i)) {
      QDEDUP_TRY(check_state_file(paths_.at(i)));
      continue;
    }
    return Error{ErrorCode::io, paths_.at(i) +
                                    (now ? ": was replaced by another file" : ": was removed or moved away") +
                                    " while it was open; nothing is written until it is back"};
  }
  struct stat log = {};
  if (::stat(paths_[1].c_str(), &log) != 0) return {};
  const auto size = static_cast<std::uint64_t>(log.st_size);
  if (size >= std::min(log_size_, largest_kept_log)) {
    log_size_ = size;
    return {};
  }
  return Error{ErrorCode::io,
               paths_[1] + ": was cut while it was open, and what was written last is lost with it"};
}

bool DatabaseFiles::are_mixed() const {
  std::size_t standing = 0;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const std::optional<Identity> now = identity_of(paths_.at(i));
    if (i == 0 && !now) return false;
    if (now && now == opened_.at(i)) ++standing;
  }
  return standing > 0 && standing < paths_.size();
}

std::optional<DatabaseFiles::Identity> DatabaseFiles::identity_of(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return Identity{file.st_dev, file.st_ino};
}

}  // namespace qdedup::db
