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

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Status sync(int descriptor, const std::string& path) {
  return ::fsync(descriptor) == 0 ? Status() : Status(errno_error(path, errno));
}

Status sync_folder_of(const std::string& path) {
  const std::string name = folder_of(path);
  const FileDescriptor folder(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
  return folder.open() ? sync(folder.number(), name) : Status(errno_error(name, errno));
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
  for (fs::directory_iterator entry(folder_of(target.string()), failure);
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

DraftFile::DraftFile(std::string path, FileDescriptor file)
    : path_(std::move(path)), file_(std::move(file)) {}

DraftFile::DraftFile(DraftFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

DraftFile::~DraftFile() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
}

Result<DraftFile> DraftFile::beside(const std::string& target, mode_t mode) {
  remove_left_over(target);
  // Again if another process took it for left over before it was locked.
  constexpr int tries = 100;
  for (int i = 0; i < tries; ++i) {
    const std::string path = target + random_suffix();
    FileDescriptor file(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));  // NOLINT(*-vararg)
    if (!file.open() && errno == EEXIST) continue;
    if (!file.open()) return cannot_create(target, errno);
    DraftFile draft(path, std::move(file));
    if (::flock(draft.file_.number(), LOCK_EX | LOCK_NB) == 0 && has_file(path, draft.file_)) return draft;
  }
  return cannot_create(target, EEXIST);
}

Status DraftFile::expect_in_place() const {
  if (has_file(path_, file_)) return {};
  return Error{ErrorCode::cannot_create,
               path_ + ": was replaced by another file while it was written; look at who may write there"};
}

Status DraftFile::replace(const std::string& target) {
  QDEDUP_TRY(sync(file_.number(), path_));
  QDEDUP_TRY(expect_in_place());
  if (::rename(path_.c_str(), target.c_str()) != 0) return cannot_create(target, errno);
  path_.clear();
  return sync_folder_of(target);
}

Status DraftFile::put(const std::string& target) {
  QDEDUP_TRY(sync(file_.number(), path_));
  QDEDUP_TRY(expect_in_place());
  if (::link(path_.c_str(), target.c_str()) == 0) return sync_folder_of(target);
  if (errno != EPERM) return cannot_create(target, errno);  // EPERM: a file system without links
  return replace(target);
}

}  // namespace qdedup
