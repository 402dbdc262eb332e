#include "base/draft_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace qdedup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".part-";
constexpr std::size_t random_digits = 16;

Error cannot_create(const std::string& path, int reason) {
  return {ErrorCode::cannot_create, path + ": " + std::generic_category().message(reason)};
}

std::string random_suffix() {
  std::array<unsigned char, random_digits / 2> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != ssize_t{bytes.size()}) return {};
  constexpr std::string_view digits = "0123456789abcdef";
  std::string suffix(mark);
  for (const unsigned char byte : bytes) {
    suffix += digits[byte >> 4U];
    suffix += digits[byte & 0xFU];
  }
  return suffix;
}

Status sync(int descriptor, const FilePlace& place) {
  return ::fsync(descriptor) == 0 ? Status() : Status(errno_error(place.shown(), errno));
}

Status sync_folder_of(const FilePlace& place) {
  const std::string name = fs::path(place.path()).parent_path().string();
  const FileDescriptor folder(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
  return folder.open() ? sync(folder.number(), place) : Status(errno_error(place.shown(), errno));
}

// One component after the other, as O_NOFOLLOW is about the last one only.
FileDescriptor open_folder(const fs::path& path) {
  FileDescriptor folder(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
  for (const fs::path& name : path.relative_path()) {
    if (!folder.open()) break;
    if (name.empty()) continue;
    folder = FileDescriptor(::openat(folder.number(), name.c_str(),  // NOLINT(*-vararg)
                                     O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  return folder;
}

bool is_draft_of(std::string_view name, std::string_view target) {
  if (!name.starts_with(target)) return false;
  name.remove_prefix(target.size());
  if (!name.starts_with(mark)) return false;
  name.remove_prefix(mark.size());
  return name.size() == random_digits && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_left_over(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));  // NOLINT
  struct stat status {};
  return file.open() && ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == ::geteuid() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
}

void remove_left_over(const fs::path& target) {
  std::error_code failure;
  for (fs::directory_iterator entry(target.parent_path(), failure);
       !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    const std::string path = entry->path().string();
    if (is_draft_of(entry->path().filename().string(), target.filename().string()) && is_left_over(path)) {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  }
}

bool has_file(const std::string& path, const FileDescriptor& file) {
  struct stat named {};
  struct stat open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(file.number(), &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

}  // namespace

Result<FilePlace> FilePlace::of(const std::string& path, std::string shown) {
  const fs::path place(path);
  const fs::path name = place.filename();
  if (name.empty() || name == "." || name == "..") return cannot_create(shown, EISDIR);
  FileDescriptor folder = open_folder(place.parent_path());
  if (!folder.open()) return cannot_create(shown, errno);
  return FilePlace(std::move(folder), name.string(), std::move(shown));
}

FilePlace::FilePlace(FileDescriptor folder, const std::string& name, std::string shown)
    : folder_(std::move(folder)), path_(path_of(folder_) + '/' + name), shown_(std::move(shown)) {}

DraftFile::DraftFile(const FilePlace& target, std::string path, FileDescriptor file)
    : target_(&target), path_(std::move(path)), file_(std::move(file)) {}

DraftFile::DraftFile(DraftFile&& other) noexcept
    : target_(other.target_), path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

DraftFile::~DraftFile() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
}

Result<DraftFile> DraftFile::beside(const FilePlace& target, mode_t mode) {
  remove_left_over(target.path());
  // Again if another process took it for left over before it was locked.
  constexpr int tries = 100;
  for (int i = 0; i < tries; ++i) {
    const std::string path = target.path() + random_suffix();
    FileDescriptor file(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));  // NOLINT(*-vararg)
    if (!file.open() && errno == EEXIST) continue;
    if (!file.open()) return cannot_create(target.shown(), errno);
    DraftFile draft(target, path, std::move(file));
    if (::flock(draft.file_.number(), LOCK_EX | LOCK_NB) == 0 && has_file(path, draft.file_)) return draft;
  }
  return cannot_create(target.shown(), EEXIST);
}

Status DraftFile::expect_in_place() const {
  if (has_file(path_, file_)) return {};
  return Error{
      ErrorCode::cannot_create,
      target_->shown() +
          ": its draft was replaced by another file while it was written; look at who may write there"};
}

Status DraftFile::replace() {
  QDEDUP_TRY(sync(file_.number(), *target_));
  QDEDUP_TRY(expect_in_place());
  if (::rename(path_.c_str(), target_->path().c_str()) != 0) return cannot_create(target_->shown(), errno);
  path_.clear();
  return sync_folder_of(*target_);
}

Status DraftFile::put() {
  QDEDUP_TRY(sync(file_.number(), *target_));
  QDEDUP_TRY(expect_in_place());
  if (::link(path_.c_str(), target_->path().c_str()) == 0) return sync_folder_of(*target_);
  if (errno != EPERM) return cannot_create(target_->shown(), errno);  // EPERM: a file system without links
  return replace();
}

}  // namespace qdedup
