#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/result.h"
#include "daemon/authority.h"
#include "daemon/http_session.h"
#include "daemon/listening_socket.h"
#include "daemon/router.h"

namespace qdedup::daemon {

class HttpListener;

// HTTP/1.1 on a unix socket and, optionally, on a loopback address. Everything runs on the thread that runs
// the io_context, and the server must be called on it too. Nothing a client does can end the server.
// `context` must outlive the server; responders may outlive both.
class HttpServer {
 public:
  // Takes one line that an operator should know about.
  using Report = std::function<void(std::string_view message)>;

  HttpServer(boost::asio::io_context& context, Router router, const HttpLimits& limits, Report report);
  ~HttpServer();  // stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Listens on a socket at `path`, with the mode of state files (db/state_folder.h). Replaces the socket of a
  // dead process. ErrorCode::busy if another process is listening there, ErrorCode::cannot_create if `path`
  // is something else. Everyone who may connect may request anything.
  Status listen_unix(const std::string& path);

  // False once somebody has removed or replaced that socket.
  [[nodiscard]] bool socket_is_in_place() const { return !unix_socket_ || unix_socket_->is_in_place(); }

  // Returns the port; 0 in `address` means any free one. ErrorCode::busy if the address is taken.
  Result<std::uint16_t> listen_tcp(const config::ListenAddress& address, Authority authority);

  // Applies to all requests over TCP from now on, after a reload.
  void replace_authority(Authority authority);

  // From now on requests that come get 503 with Retry-After (but on routes with `is_last`), as do those whose
  // handlers drop their responders, and each response is the last of its connection.
  void begin_stop();
  // Whether somebody waits for a response, or for the rest of one.
  [[nodiscard]] bool is_busy() const;

  // Closes all connections, notifies their responders that the clients are gone, and removes the socket.
  void stop();

  [[nodiscard]] std::size_t connections() const;

 private:
  void listen(FileDescriptor socket, Peer::Kind kind);

  boost::asio::io_context& context_;
  std::shared_ptr<HttpSite> site_;
  std::unique_ptr<UnixListeningSocket> unix_socket_;
  std::vector<std::shared_ptr<HttpListener>> listeners_;
};

}  // namespace qdedup::daemon
