#include "daemon/listening_socket.h"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unix_address.h"
#include "db/state_folder.h"

namespace qdedup::daemon {
namespace {

Error errno_failure(std::string_view subject) {
  return {ErrorCode::cannot_create, errno_error(subject, errno).message};
}

FileDescriptor stream_socket(int family) {
  return FileDescriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Removes the socket of a process that is dead.
Status clear_place(const std::string& path, const UnixAddress& address) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return errno == ENOENT ? Status() : Status(errno_failure(path));
  if (!S_ISSOCK(about.st_mode)) return Error{ErrorCode::cannot_create, path + ": there, and not a socket"};
  const FileDescriptor probe = stream_socket(AF_UNIX);
  if (!probe.open()) return errno_failure(path);
  const bool refused =
      ::connect(probe.number(), address.address(), address.size()) != 0 && errno == ECONNREFUSED;
  if (!refused) return Error{ErrorCode::busy, path + ": another process answers there"};
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return errno_failure(path);
  return {};
}

// Of the socket itself: something else may have taken its place.
Status change_mode(const std::string& path, mode_t mode) {
  const FileDescriptor file(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));  // NOLINT(*-vararg)
  struct stat about {};
  if (!file.open() || ::fstat(file.number(), &about) != 0) return errno_failure(path);
  if (!S_ISSOCK(about.st_mode)) return Error{ErrorCode::cannot_create, path + ": was replaced"};
  const std::string itself = "/proc/self/fd/" + std::to_string(file.number());
  return ::chmod(itself.c_str(), mode) == 0 ? Status() : Status(errno_failure(path));
}

// The mode of the socket before it is bound, less the umask, is that of the file from its first moment. Then
// the umask is undone, before anybody can connect.
Status bind_with_mode(int socket, const std::string& path, const UnixAddress& address) {
  const mode_t mode = db::state_file_mode(std::filesystem::path(path).parent_path().string());
  if (::fchmod(socket, mode) != 0 || ::bind(socket, address.address(), address.size()) != 0) {
    return errno_failure(path);
  }
  QDEDUP_TRY(change_mode(path, mode));
  return ::listen(socket, SOMAXCONN) == 0 ? Status() : Status(errno_failure(path));
}

struct LoopbackAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

std::optional<LoopbackAddress> parse_ipv4(const std::string& host, std::uint16_t port) {
  LoopbackAddress result;
  auto& address = reinterpret_cast<sockaddr_in&>(result.storage);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  result.size = sizeof(address);
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) return std::nullopt;
  if (ntohl(address.sin_addr.s_addr) >> 24 != IN_LOOPBACKNET) return std::nullopt;
  return result;
}

std::optional<LoopbackAddress> parse_ipv6(const std::string& host, std::uint16_t port) {
  LoopbackAddress result;
  auto& address = reinterpret_cast<sockaddr_in6&>(result.storage);
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  result.size = sizeof(address);
  if (::inet_pton(AF_INET6, host.c_str(), &address.sin6_addr) != 1) return std::nullopt;
  if (!IN6_IS_ADDR_LOOPBACK(&address.sin6_addr)) return std::nullopt;
  return result;
}

std::optional<LoopbackAddress> parse_loopback(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::optional<std::uint16_t> port = parse_port(std::string_view(text).substr(colon + 1));
  if (!port) return std::nullopt;
  const std::string host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    return parse_ipv6(host.substr(1, host.size() - 2), *port);
  }
  return parse_ipv4(host, *port);
}

}  // namespace

Result<UnixListeningSocket> UnixListeningSocket::open(const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(const UnixAddress address, UnixAddress::of(path));
  QDEDUP_TRY(clear_place(path, address));
  UnixListeningSocket listening(stream_socket(AF_UNIX), path);
  const int socket = listening.socket_.number();
  if (socket < 0) return errno_failure(path);
  QDEDUP_TRY(bind_with_mode(socket, path, address));
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return errno_failure(path);
  listening.device_ = about.st_dev;
  listening.inode_ = about.st_ino;
  return listening;
}

UnixListeningSocket::UnixListeningSocket(UnixListeningSocket&& other) noexcept
    : socket_(std::move(other.socket_)),
      path_(std::exchange(other.path_, {})),
      device_(other.device_),
      inode_(other.inode_) {}

UnixListeningSocket::~UnixListeningSocket() {
  struct stat about {};
  if (path_.empty() || ::lstat(path_.c_str(), &about) != 0) return;
  if (about.st_dev == device_ && about.st_ino == inode_) ::unlink(path_.c_str());
}

Result<FileDescriptor> listen_on_loopback(const std::string& address) {
  const std::optional<LoopbackAddress> parsed = parse_loopback(address);
  if (!parsed) {
    return Error{ErrorCode::config,
                 address + ": not a loopback address and port, such as 127.0.0.1:9631 or [::1]:9631"};
  }
  FileDescriptor socket = stream_socket(parsed->storage.ss_family);
  if (!socket.open()) return errno_failure(address);
  const int on = 1;
  ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const auto* place = reinterpret_cast<const sockaddr*>(&parsed->storage);
  if (::bind(socket.number(), place, parsed->size) != 0 || ::listen(socket.number(), SOMAXCONN) != 0) {
    const ErrorCode code = errno == EADDRINUSE ? ErrorCode::busy : ErrorCode::cannot_create;
    return Error{code, errno_error(address, errno).message};
  }
  return socket;
}

}  // namespace qdedup::daemon
