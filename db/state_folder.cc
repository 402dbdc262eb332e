#include "db/state_folder.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace qdedup::db {

Result<StateLock> StateLock::acquire(const StateFolder& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder.path(), failure);
  if (failure) return Error{ErrorCode::cannot_create, folder.path() + ": " + failure.message()};

  const std::string path = folder.lock_path();
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);  // NOLINT(*-vararg)
  if (descriptor < 0) return Error{ErrorCode::cannot_create, errno_error(path, errno).message};
  StateLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return errno_error(path, errno);
    return Error{ErrorCode::busy,
                 folder.path() + ": another qdedup works on this state; try again when it is done"};
  }
  return lock;
}

StateLock::StateLock(StateLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

StateLock::~StateLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace qdedup::db
