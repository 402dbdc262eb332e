#include "daemon/listening_socket.h"

#include <cerrno>
#include <filesystem>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <boost/lexical_cast.hpp>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unix_address.h"
#include "db/state_folder.h"

namespace qdedup::daemon {
namespace {

FileDescriptor stream_socket(int family) {
  return FileDescriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Removes the socket of a dead process.
Status clear_place(const std::string& path, const UnixAddress& address) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0)
    return errno == ENOENT ? Status() : Status(cannot_create(path, errno));
  if (!S_ISSOCK(about.st_mode)) return Error{ErrorCode::cannot_create, path + ": there, and not a socket"};
  const FileDescriptor probe = stream_socket(AF_UNIX);
  if (!probe.open()) return cannot_create(path, errno);
  const bool refused =
      ::connect(probe.number(), address.address(), address.size()) != 0 && errno == ECONNREFUSED;
  if (!refused) return Error{ErrorCode::busy, path + ": another process answers there"};
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return cannot_create(path, errno);
  return {};
}

// Changes the mode of this socket only, since something else may have taken its place.
Status change_mode(const std::string& path, mode_t mode) {
  const FileDescriptor file(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));  // NOLINT(*-vararg)
  struct stat about {};
  if (!file.open() || ::fstat(file.number(), &about) != 0) return cannot_create(path, errno);
  if (!S_ISSOCK(about.st_mode)) return Error{ErrorCode::cannot_create, path + ": was replaced"};
  return ::chmod(path_of(file).c_str(), mode) == 0 ? Status() : Status(cannot_create(path, errno));
}

// The file gets the mode that the socket has when it is bound, less the umask. The umask is undone right
// afterwards, before anybody can connect.
Status bind_with_mode(int socket, const std::string& path, const UnixAddress& address) {
  const mode_t mode = db::state_file_mode(std::filesystem::path(path).parent_path().string());
  if (::fchmod(socket, mode) != 0 || ::bind(socket, address.address(), address.size()) != 0) {
    return cannot_create(path, errno);
  }
  QDEDUP_TRY(change_mode(path, mode));
  return ::listen(socket, SOMAXCONN) == 0 ? Status() : Status(cannot_create(path, errno));
}

}  // namespace

Result<std::unique_ptr<UnixListeningSocket>> UnixListeningSocket::open(const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(const UnixAddress address, UnixAddress::of(path));
  QDEDUP_TRY(clear_place(path, address));
  std::unique_ptr<UnixListeningSocket> listening(new UnixListeningSocket(stream_socket(AF_UNIX), path));
  if (!listening->socket_.open()) return cannot_create(path, errno);
  QDEDUP_TRY(bind_with_mode(listening->socket_.number(), path, address));
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return cannot_create(path, errno);
  listening->device_ = about.st_dev;
  listening->inode_ = about.st_ino;
  return listening;
}

UnixListeningSocket::~UnixListeningSocket() {
  if (is_in_place()) ::unlink(path_.c_str());
}

bool UnixListeningSocket::is_in_place() const {
  struct stat about {};
  return ::lstat(path_.c_str(), &about) == 0 && about.st_dev == device_ && about.st_ino == inode_;
}

Result<FileDescriptor> listen_on_loopback(const config::ListenAddress& address) {
  const boost::asio::ip::tcp::endpoint place(boost::asio::ip::make_address(address.address), address.port);
  const auto name = boost::lexical_cast<std::string>(place);
  FileDescriptor socket = stream_socket(place.protocol().family());
  if (!socket.open()) return cannot_create(name, errno);
  const int on = 1;
  ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (::bind(socket.number(), place.data(), static_cast<socklen_t>(place.size())) != 0 ||
      ::listen(socket.number(), SOMAXCONN) != 0) {
    const ErrorCode code = errno == EADDRINUSE ? ErrorCode::busy : ErrorCode::cannot_create;
    return Error{code, errno_error(name, errno).message};
  }
  return socket;
}

}  // namespace qdedup::daemon
