#include "cli/daemon_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/unix_address.h"
#include "base/user_name.h"

namespace qdedup::cli {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

error_code last_error() { return {errno, boost::system::system_category()}; }

// A connected unix socket as a SyncReadStream of Beast. The caller keeps the descriptor.
class BlockingStream {
 public:
  // `patience`: how long a read waits for a byte; forever if negative.
  BlockingStream(int socket, std::chrono::milliseconds patience) : socket_(socket), patience_(patience) {}

  // Sends all `bytes`.
  [[nodiscard]] error_code write(std::string_view bytes) const;

  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, error_code& error) {
    return read(*boost::asio::buffer_sequence_begin(buffers), error);
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    error_code error;
    const std::size_t size = read_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return size;
  }

 private:
  std::size_t read(boost::asio::mutable_buffer buffer, error_code& error) const;

  int socket_;
  std::chrono::milliseconds patience_;
};

error_code BlockingStream::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return boost::asio::error::timed_out;  // SO_SNDTIMEO
    if (sent < 0) return last_error();
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

std::size_t BlockingStream::read(boost::asio::mutable_buffer buffer, error_code& error) const {
  pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
  ssize_t size = -1;
  do {
    const int ready = ::poll(
        &waiting, 1, static_cast<int>(std::max<std::chrono::milliseconds::rep>(patience_.count(), -1)));
    if (ready == 0) {
      error = boost::asio::error::timed_out;
      return 0;
    }
    if (ready > 0) size = ::recv(socket_, buffer.data(), buffer.size(), 0);
  } while (size < 0 && errno == EINTR);
  error = size < 0 ? last_error() : error_code();
  if (size == 0) error = boost::asio::error::eof;
  return size < 0 ? 0 : static_cast<std::size_t>(size);
}

constexpr std::size_t max_refusal_size = std::size_t{64} * 1024;
constexpr std::size_t max_line_size = std::size_t{1} << 20U;
constexpr std::size_t max_answer_size = std::size_t{16} << 20U;

// Splits a response into lines.
class LineCutter {
 public:
  explicit LineCutter(const DaemonClient::OnLine& on_line) : on_line_(on_line) {}

  // False once the awaited line has been taken, or if a line is too long.
  bool take(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      begun_ += bytes.substr(0, end);
      bytes.remove_prefix(end + 1);
      if (!on_line_(begun_)) return false;
      begun_.clear();
    }
    begun_ += bytes;
    return !is_too_long();
  }

  [[nodiscard]] bool is_too_long() const { return begun_.size() > max_line_size; }

 private:
  const DaemonClient::OnLine& on_line_;
  std::string begun_;
};

bool is_end(const error_code& error) {
  return error == boost::asio::error::eof || error == http::error::end_of_stream ||
         error == http::error::partial_message || error == boost::asio::error::connection_reset ||
         error == boost::asio::error::broken_pipe;
}

Error too_long(const std::string& path) {
  return {ErrorCode::io, path + ": the daemon's answer is too long"};
}

Error error_of(const std::string& path, const error_code& error) {
  if (error == boost::asio::error::timed_out) {
    return {ErrorCode::busy, path + ": the daemon does not answer; is it stopped? Try again when it does"};
  }
  if (is_end(error)) return {ErrorCode::busy, path + ": the daemon ended before its answer was complete"};
  return {ErrorCode::io, path + ": " + error.message()};
}

// Passes on the response piece by piece as long as more is wanted; returns its status.
template <class Take>
unsigned read_answer(BlockingStream& stream, const Take& take, error_code& error) {
  boost::beast::flat_buffer buffer;
  http::response_parser<http::buffer_body> parser;
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
  http::read_header(stream, buffer, parser, error);
  const unsigned status = parser.get().result_int();
  std::array<char, 16 * 1024> piece{};
  for (bool wanted = true; wanted && !error && !parser.is_done();) {
    parser.get().body().data = piece.data();
    parser.get().body().size = piece.size();
    http::read_some(stream, buffer, parser, error);
    if (error == http::error::need_buffer) error = {};
    wanted = take(status, std::string_view(piece.data(), piece.size() - parser.get().body().size));
  }
  return status;
}

// 409: the daemon is of another version, and will be until it is restarted.
ErrorCode code_of(unsigned status) {
  return status == 503 || status == 409 ? ErrorCode::busy : ErrorCode::internal;
}

std::string post_request(std::string_view target, std::string_view json) {
  return "POST " + std::string(target) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + std::string(json);
}

// The socket's file, held open so that nothing put in its place is mistaken for it.
struct SocketFile {
  FileDescriptor file;
  uid_t owner = 0;
};

// None if there is no socket. An error if a link leads to it, since that may be the socket of another state.
Result<std::optional<SocketFile>> socket_at(const std::string& path) {
  SocketFile socket{
      FileDescriptor(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC))};  // NOLINT(*-vararg)
  struct stat about {};
  if (!socket.file.open() || ::fstat(socket.file.number(), &about) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<SocketFile>();
    return errno_error(path, errno);
  }
  if (S_ISLNK(about.st_mode)) {
    return Error{ErrorCode::no_input, path + ": is not used, as it is a symbolic link"};
  }
  if (!S_ISSOCK(about.st_mode)) return std::optional<SocketFile>();
  socket.owner = about.st_uid;
  return std::optional(std::move(socket));
}

// The user whose process listens at the other end.
Result<uid_t> listener_of(const FileDescriptor& socket, const std::string& path) {
  ucred credentials{};
  socklen_t size = sizeof(credentials);
  if (::getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
    return errno_error(path, errno);
  }
  return credentials.uid;
}

// `owner` is that of the socket's file, or of the process listening.
Status check_owner(uid_t owner, const std::string& path, const struct stat& folder) {
  if (owner == 0 || owner == folder.st_uid || owner == ::geteuid()) return {};
  return Error{ErrorCode::no_input, path + ": is not used, as it is of " + unix_user(owner) +
                                        ", and the state of " + unix_user(folder.st_uid)};
}

Result<struct stat> trusted_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  struct stat about {};
  if (::stat(folder.c_str(), &about) != 0) return errno_error(folder, errno);
  if ((about.st_mode & S_IWOTH) == 0) return about;
  return Error{ErrorCode::no_input,
               path + ": is not used, as everybody may write to its folder: chmod o-w " + folder};
}

// Connecting blocks as well if the daemon is stopped and many clients are queued.
void limit_waiting(const FileDescriptor& socket) {
  const timeval patience{.tv_sec = daemon_patience.count(), .tv_usec = 0};
  ::setsockopt(socket.number(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

}  // namespace

std::string reason_of(const std::string& body) {
  const nlohmann::json json = parse_json(body);
  const std::string* error = string_at(json, "error");
  return error == nullptr ? body : *error;
}

Result<std::optional<DaemonClient>> DaemonClient::connect(const std::string& socket_path) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<SocketFile> there, socket_at(socket_path));
  if (!there) return std::optional<DaemonClient>();
  QDEDUP_ASSIGN_OR_RETURN(const UnixAddress address, UnixAddress::of(path_of(there->file)));
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.open()) return errno_error(socket_path, errno);
  limit_waiting(socket);
  if (::connect(socket.number(), address.address(), address.size()) != 0) {
    if (errno == ECONNREFUSED || errno == ENOENT) return std::optional<DaemonClient>();
    if (errno == EAGAIN) return error_of(socket_path, boost::asio::error::timed_out);
    return errno_error(socket_path, errno);
  }
  QDEDUP_ASSIGN_OR_RETURN(const struct stat folder, trusted_folder_of(socket_path));
  QDEDUP_TRY(check_owner(there->owner, socket_path, folder));
  QDEDUP_ASSIGN_OR_RETURN(const uid_t listener, listener_of(socket, socket_path));
  QDEDUP_TRY(check_owner(listener, socket_path, folder));
  return std::optional<DaemonClient>(DaemonClient(std::move(socket), socket_path, listener));
}

Status DaemonClient::begin(std::string_view target, std::string_view json, const OnLine& on_line) {
  LineCutter lines(on_line);
  std::string refusal;
  bool found = false;
  QDEDUP_ASSIGN_OR_RETURN(
      const unsigned status,
      ask(post_request(target, json), daemon_patience, [&](unsigned code, std::string_view piece) {
        if (code == 200) return !(found = !lines.take(piece));
        refusal += piece.substr(0, max_refusal_size - refusal.size());
        return true;
      }));
  if (status != 200) return Error{code_of(status), path_ + ": " + reason_of(refusal)};
  if (lines.is_too_long()) return too_long(path_);
  return found ? Status() : Status(error_of(path_, boost::asio::error::eof));
}

bool DaemonClient::goes_on() const {
  std::array<char, 256> dropped{};
  ssize_t size = 0;
  do {
    size = ::recv(socket_.number(), dropped.data(), dropped.size(), MSG_DONTWAIT);
  } while (size > 0 || (size < 0 && errno == EINTR));
  return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

Result<DaemonClient::Answer> DaemonClient::whole_answer(std::string_view request,
                                                        std::chrono::milliseconds patience) {
  Answer answer;
  QDEDUP_ASSIGN_OR_RETURN(const unsigned status,
                          ask(request, patience, [&](unsigned /*code*/, std::string_view piece) {
                            answer.body += piece;
                            return answer.body.size() <= max_answer_size;
                          }));
  if (answer.body.size() > max_answer_size) return too_long(path_);
  answer.status = status;
  return answer;
}

Result<DaemonClient::Answer> DaemonClient::get(std::string_view target, std::chrono::milliseconds patience) {
  return whole_answer("GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", patience);
}

Result<DaemonClient::Answer> DaemonClient::post(std::string_view target, std::string_view json) {
  return whole_answer(post_request(target, json), daemon_patience);
}

// Sends the request and passes the response to `take` piece by piece. A daemon that refuses a request may not
// read all of it; its response then explains more than the failure to send.
Result<unsigned> DaemonClient::ask(std::string_view request, std::chrono::milliseconds patience,
                                   const Take& take) {
  BlockingStream stream(socket_.number(), patience);
  const error_code not_sent = stream.write(request);
  if (not_sent && !is_end(not_sent)) return error_of(path_, not_sent);
  error_code error;
  const unsigned status = read_answer(stream, take, error);
  if (error) return error_of(path_, error);
  return status;
}

}  // namespace qdedup::cli
