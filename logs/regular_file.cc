#include "logs/regular_file.h"

#include <cerrno>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace qdedup::logs {
namespace {

std::int64_t nanoseconds(const struct statx_timestamp& time) {
  constexpr std::int64_t second_ns = 1'000'000'000;
  return time.tv_sec * second_ns + time.tv_nsec;
}

std::optional<FileSignature> look(int folder, const char* path, int flags) {
  struct statx status = {};
  if (::statx(folder, path, flags, STATX_BASIC_STATS | STATX_BTIME, &status) != 0) return std::nullopt;
  const bool tells_birth = (status.stx_mask & STATX_BTIME) != 0;
  return FileSignature{{::makedev(status.stx_dev_major, status.stx_dev_minor), status.stx_ino},
                       status.stx_size,
                       nanoseconds(status.stx_mtime),
                       tells_birth ? nanoseconds(status.stx_btime) : 0};
}

Status require_regular(const std::string& path, const struct stat& found) {
  if (S_ISREG(found.st_mode)) return {};
  return Error{ErrorCode::no_input, path + ": not a regular file"};
}

Status expect_another(const std::string& path, const struct stat& found, const std::string& forbidden) {
  struct stat other = {};
  const bool is_it = ::stat(forbidden.c_str(), &other) == 0 && other.st_dev == found.st_dev &&
                     other.st_ino == found.st_ino;
  if (!is_it) return {};
  return Error{ErrorCode::no_input, path + ": is " + forbidden + ", a file of the state; it is not read"};
}

}  // namespace

std::optional<FileSignature> signature_of(const std::string& path) { return look(AT_FDCWD, path.c_str(), 0); }

std::optional<FileSignature> signature_of(int descriptor) { return look(descriptor, "", AT_EMPTY_PATH); }

RegularFile::RegularFile(int descriptor, std::string path)
    : descriptor_(descriptor), path_(std::move(path)) {}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      opened_(other.opened_),
      moved_(std::move(other.moved_)),
      verified_(std::move(other.verified_)) {}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// What it is, is known before it is opened: opening alone moves some devices.
Result<RegularFile> RegularFile::open(const std::string& path, const std::vector<std::string>& forbidden) {
  const FileDescriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));  // NOLINT(*-vararg)
  struct stat found = {};
  if (!place.open() || ::fstat(place.number(), &found) != 0) return errno_error(path, errno);
  QDEDUP_TRY(require_regular(path, found));
  for (const std::string& file : forbidden) QDEDUP_TRY(expect_another(path, found, file));
  const std::string opened = "/proc/self/fd/" + std::to_string(place.number());
  const int descriptor = ::open(opened.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT(*-vararg)
  if (descriptor < 0) return errno_error(path, errno);
  return adopt(descriptor, path);
}

Result<RegularFile> RegularFile::adopt(int descriptor, const std::string& path) {
  RegularFile file(descriptor, path);
  QDEDUP_TRY(file.identify());
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  return file;
}

Status RegularFile::identify() {
  struct stat found = {};
  if (::fstat(descriptor_, &found) != 0) return errno_error(path_, errno);
  QDEDUP_TRY(require_regular(path_, found));
  QDEDUP_ASSIGN_OR_RETURN(opened_, signature());
  return {};
}

Result<FileSignature> RegularFile::signature() const {
  const auto found = signature_of(descriptor_);
  if (!found) return errno_error(path_, errno);
  return *found;
}

Result<std::size_t> RegularFile::read_at(std::uint64_t offset, std::span<char> buffer) const {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) return std::size_t{0};
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t count = ::pread(descriptor_, buffer.data() + filled, buffer.size() - filled,
                                  static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno_error(path_, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  if (moved_) moved_();
  return filled;
}

}  // namespace qdedup::logs
