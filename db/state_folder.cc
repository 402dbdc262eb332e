#include "db/state_folder.h"

#include <cerrno>
#include <utility>

#include <sys/file.h>

#include "db/state_file.h"

namespace qdedup::db {

std::vector<std::string> StateFolder::files() const {
  std::vector<std::string> files = {lock_path(), socket_path()};
  for (const std::string& database : {store_path(), bank_path()}) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal", ".new"}) files.push_back(database + suffix);
  }
  return files;
}

Result<StateLock> StateLock::acquire(const StateFolder& folder) {
  const std::string path = folder.lock_path();
  // Whoever may read a file may lock it.
  Result<FileDescriptor> file = open_state_file(path, Readers::none);
  if (!file.ok()) return std::move(file).error();
  StateLock lock(*std::move(file));
  if (::flock(lock.file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return errno_error(path, errno);
    return Error{ErrorCode::busy,
                 folder.path() + ": another qdedup works on this state; try again when it is done"};
  }
  return lock;
}

}  // namespace qdedup::db
