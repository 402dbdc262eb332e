#include "logs/files.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/links.h"
#include "base/user_name.h"
#include "logs/byte_source.h"
#include "logs/glob.h"

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
  const bool is_it =
      ::stat(forbidden.c_str(), &other) == 0 && other.st_dev == found.st_dev && other.st_ino == found.st_ino;
  if (!is_it) return {};
  return Error{ErrorCode::no_input, path + ": is " + forbidden + ", a file of the state; it is not read"};
}

bool is_in_proc(const std::filesystem::path& path) { return path.string().starts_with("/proc/"); }

// Whoever may lay a link among the logs must not have a file read that they may not read themselves. A file
// that is named by a descriptor is open already.
Result<FileDescriptor> look_through_links(const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(const ResolvedPath resolved, resolve_links(path));
  const bool is_open = is_by_descriptor(path) || is_in_proc(resolved.place);
  FileDescriptor place = is_open ? FileDescriptor(::open(path.c_str(), O_PATH | O_CLOEXEC))  // NOLINT
                                 : look_at(resolved.place);
  struct stat found = {};
  if (!place.open() || ::fstat(place.number(), &found) != 0) return errno_error(path, errno);
  for (const Link& link : resolved.links) {
    if (link.owner == 0 || link.owner == ::geteuid() || link.owner == found.st_uid) continue;
    return Error{ErrorCode::no_input, path + ": goes through " + link.path.string() + ", a link of " +
                                          unix_user(link.owner) + " to a file of " + unix_user(found.st_uid) +
                                          "; it is not read"};
  }
  return place;
}

Result<RegularFile> open_standard_input(const std::vector<std::string>& forbidden) {
  const std::string name = StreamSource::standard_input;
  struct stat found = {};
  if (::fstat(STDIN_FILENO, &found) != 0) return errno_error(name, errno);
  for (const std::string& file : forbidden) QDEDUP_TRY(expect_another(name, found, file));
  FileDescriptor descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));  // NOLINT(*-vararg)
  if (!descriptor.open()) return errno_error(name, errno);
  return RegularFile::adopt(std::move(descriptor), name);
}

}  // namespace

std::optional<FileSignature> signature_of(const std::string& path) { return look(AT_FDCWD, path.c_str(), 0); }

std::optional<FileSignature> signature_of(int descriptor) { return look(descriptor, "", AT_EMPTY_PATH); }

// Determines what it is before it is opened, because merely opening some devices has effects. O_NONBLOCK:
// opening a file that has a lease (F_SETLEASE) would wait for its holder.
Result<RegularFile> RegularFile::open(const std::string& path, const std::vector<std::string>& forbidden) {
  QDEDUP_ASSIGN_OR_RETURN(const FileDescriptor place, look_through_links(path));
  struct stat found = {};
  if (::fstat(place.number(), &found) != 0) return errno_error(path, errno);
  QDEDUP_TRY(require_regular(path, found));
  for (const std::string& file : forbidden) QDEDUP_TRY(expect_another(path, found, file));
  const std::string itself = path_of(place);
  FileDescriptor descriptor(::open(itself.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // NOLINT(*-vararg)
  if (!descriptor.open() && errno == EWOULDBLOCK) {
    return Error{ErrorCode::io,
                 path + ": another program has a lease of it; it is not read until that is over"};
  }
  if (!descriptor.open()) return errno_error(path, errno);
  return adopt(std::move(descriptor), path);
}

Result<RegularFile> RegularFile::adopt(FileDescriptor descriptor, const std::string& path) {
  struct stat found = {};
  if (::fstat(descriptor.number(), &found) != 0) return errno_error(path, errno);
  QDEDUP_TRY(require_regular(path, found));
  RegularFile file(std::move(descriptor), path);
  QDEDUP_ASSIGN_OR_RETURN(file.opened_, file.signature());
  ::posix_fadvise(file.descriptor_.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
  return file;
}

Result<FileSignature> RegularFile::signature() const {
  const auto found = signature_of(descriptor_.number());
  if (!found) return errno_error(path_, errno);
  return *found;
}

Result<std::size_t> RegularFile::read_at(std::uint64_t offset, std::span<char> buffer) const {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) return std::size_t{0};
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t count = ::pread(descriptor_.number(), buffer.data() + filled, buffer.size() - filled,
                                  static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno_error(path_, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  if (moved_) moved_();
  return filled;
}

std::optional<std::uint64_t> RegularFile::data_from(std::uint64_t offset) const {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) return std::nullopt;
  const off_t found = ::lseek(descriptor_.number(), static_cast<off_t>(offset), SEEK_DATA);
  if (found < 0 && errno == ENXIO) return std::nullopt;
  return found < 0 ? offset : static_cast<std::uint64_t>(found);
}

Result<std::shared_ptr<const RegularFile>> Files::open(const std::string& path) const {
  QDEDUP_ASSIGN_OR_RETURN(RegularFile file, RegularFile::open(path, forbidden_));
  return shared(std::move(file));
}

Result<std::shared_ptr<const RegularFile>> Files::open_argument(const std::string& path) const {
  if (path != "-") return open(path);
  QDEDUP_ASSIGN_OR_RETURN(RegularFile file, open_standard_input(forbidden_));
  return shared(std::move(file));
}

std::shared_ptr<const RegularFile> Files::shared(RegularFile file) const {
  file.on_read(moved_);
  return std::make_shared<const RegularFile>(std::move(file));
}

std::unique_ptr<ByteSource> Files::standard_input() const {
  return std::make_unique<StreamSource>(STDIN_FILENO, StreamSource::standard_input);
}

namespace {

Result<std::vector<std::string>> listed_paths(const std::vector<std::string>& globs) {
  std::set<std::string> paths;
  for (const std::string& pattern : globs) {
    const Result<std::vector<std::string>> found = expand_glob(pattern);
    if (!found.ok()) {
      return Error{ErrorCode::busy, pattern + ": cannot be looked for: " + found.error().message};
    }
    paths.insert(found->begin(), found->end());
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

bool is_gone(const std::string& path) { return !signature_of(path) && errno == ENOENT; }

}  // namespace

Result<std::vector<std::string>> matching_paths(const std::vector<std::string>& globs) {
  constexpr int max_tries = 3;
  Result<std::vector<std::string>> paths = listed_paths(globs);
  for (int tries = 1; tries < max_tries && paths.ok() && std::ranges::any_of(*paths, is_gone); ++tries) {
    paths = listed_paths(globs);
  }
  return paths;
}

std::vector<std::string> globs_without_files(const std::vector<std::string>& globs) {
  std::vector<std::string> without;
  std::ranges::copy_if(globs, std::back_inserter(without), [](const std::string& glob) {
    const Result<std::vector<std::string>> found = expand_glob(glob);
    return found.ok() && found->empty();
  });
  return without;
}

}  // namespace qdedup::logs
