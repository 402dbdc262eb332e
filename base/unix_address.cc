#include "base/unix_address.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>

namespace qdedup {

Result<UnixAddress> UnixAddress::of(const std::string& path) {
  UnixAddress address;
  address.address_.sun_family = AF_UNIX;
  std::string name = path;
  if (name.size() >= sizeof(address.address_.sun_path)) {
    const std::filesystem::path parts(path);
    const std::string folder = parts.parent_path().string();
    address.folder_ =
        FileDescriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
    if (!address.folder_.open()) return errno_error(folder, errno);
    name = path_of(address.folder_) + "/" + parts.filename().string();
  }
  if (name.size() >= sizeof(address.address_.sun_path)) {
    return Error{ErrorCode::cannot_create, path + ": too long a name for a socket"};
  }
  name.copy(address.address_.sun_path, name.size());
  return address;
}

}  // namespace qdedup
