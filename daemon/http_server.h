#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>

#include "base/result.h"
#include "daemon/authority.h"
#include "daemon/http_session.h"
#include "daemon/listening_socket.h"
#include "daemon/router.h"

namespace qdedup::daemon {

class HttpListener;

// HTTP/1.1 on a unix socket, and perhaps on a loopback address. All work is done on the one thread that runs
// the io_context, which also makes all calls to the server; nothing a client does ends it. `context` must
// outlive the server. Responders may outlive both.
class HttpServer {
 public:
  // Gets what an operator should know, in one line: that no connection could be accepted, say.
  using Report = std::function<void(std::string_view message)>;

  HttpServer(boost::asio::io_context& context, Router router, const HttpLimits& limits, Report report);
  ~HttpServer();  // stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Listens on a socket at `path`, with the mode of state files (db/state_folder.h). A socket whose process
  // is dead is replaced; ErrorCode::busy if one is listening there, ErrorCode::cannot_create if `path` is
  // something else. Whoever may connect may ask for anything.
  Status listen_unix(const std::string& path);

  // Listens on a loopback address: "127.0.0.1:9631", "[::1]:9631"; port 0 is any free one. ErrorCode::config
  // for any other address, ErrorCode::busy if it is taken.
  Status listen_tcp(const std::string& address, Authority authority);
  [[nodiscard]] std::uint16_t tcp_port() const { return tcp_port_; }  // 0: listen_tcp() did not succeed

  // For all requests over TCP from now on: after a reload.
  void replace_authority(Authority authority);

  // Cuts all connections, whose responders learn that their client is gone, and removes the socket.
  void stop();

  [[nodiscard]] std::size_t connections() const;

 private:
  std::shared_ptr<HttpListener> listen(FileDescriptor socket, Peer::Kind kind);

  boost::asio::io_context& context_;
  std::shared_ptr<HttpSite> site_;
  std::optional<UnixListeningSocket> unix_socket_;
  std::shared_ptr<HttpListener> unix_listener_;
  std::shared_ptr<HttpListener> tcp_listener_;
  std::uint16_t tcp_port_ = 0;
};

}  // namespace qdedup::daemon
