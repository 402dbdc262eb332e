#include "logs/file_signature.h"

#include <sys/stat.h>

namespace qdedup::logs {

FileSignature signature_of(const struct stat& status) {
  constexpr std::int64_t second_ns = 1'000'000'000;
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
          status.st_mtim.tv_sec * second_ns + status.st_mtim.tv_nsec};
}

}  // namespace qdedup::logs
