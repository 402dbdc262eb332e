#include "logs/file_signature.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

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

}  // namespace

std::optional<FileSignature> signature_of(const std::string& path) { return look(AT_FDCWD, path.c_str(), 0); }

std::optional<FileSignature> signature_of(int descriptor) { return look(descriptor, "", AT_EMPTY_PATH); }

}  // namespace qdedup::logs
