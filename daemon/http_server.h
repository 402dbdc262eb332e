#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "daemon/authority.h"
#include "daemon/http_limits.h"
#include "daemon/router.h"

namespace boost::asio {
class io_context;
}

namespace qdedup::daemon {

// HTTP/1.1 on a unix socket, and perhaps on a loopback address. All work is done on the one thread that runs
// the io_context, which also makes all calls to the server; nothing a client does ends it. `context` outlives
// the server. Responders may outlive both.
class HttpServer {
 public:
  // Told what an operator should know, in one line: that no connection could be accepted, say.
  using Report = std::function<void(std::string_view message)>;

  HttpServer(boost::asio::io_context& context, Router router, const HttpLimits& limits, Report report);
  ~HttpServer();  // stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Listens on a socket at `path`, which is never open to more than mode 0660. A socket whose process is dead
  // is replaced; ErrorCode::busy when one answers there, ErrorCode::cannot_create when `path` is something
  // else. Whoever may connect may ask for anything.
  Status listen_unix(const std::string& path);

  // Listens on a loopback address: "127.0.0.1:9631", "[::1]:9631"; port 0 is any free one. Any other address
  // is ErrorCode::config; ErrorCode::busy when it is taken.
  Status listen_tcp(const std::string& address, Authority authority);
  [[nodiscard]] std::uint16_t tcp_port() const;  // 0: listen_tcp() did not succeed

  // From now on for all requests over TCP: after a reload.
  void replace_authority(Authority authority);

  // Cuts all connections, whose responders are then told that their client is gone, and removes the socket.
  void stop();

  [[nodiscard]] std::size_t connections() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace qdedup::daemon
