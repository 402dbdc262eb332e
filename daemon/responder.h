#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/response.h"

namespace qdedup::daemon {

class Exchange;

// The body of an answer that is sent while it comes into being, line by line. Copies are the same stream. All
// functions may be called from any thread, before and after the client has gone, and after the server is
// gone. When the last copy goes without finish(), the connection is cut, so that the client can tell.
class LineStream {
 public:
  explicit LineStream(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}

  // Sends `line` and a line feed. Waits while more than HttpLimits::stream_bytes are to be sent; a client
  // that reads nothing for HttpLimits::write counts as gone. On the server's own thread it never waits:
  // there, a client that is too slow counts as gone at once. Answers whether the client is still there.
  bool write(std::string_view line);

  // The same for a line that nobody misses, such as progress: never waits, and drops it when the client is
  // slow.
  void offer(std::string_view line);

  void finish();
  [[nodiscard]] bool gone() const;

 private:
  std::shared_ptr<Exchange> exchange_;
};

// The way to answer one request, once: later answers are dropped. Copies are the same responder; any thread
// may use it, at any time. When the last copy goes without an answer, the client gets a 500.
class Responder {
 public:
  explicit Responder(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}

  void send(Response response) const;
  [[nodiscard]] LineStream stream(std::string content_type = "application/x-ndjson") const;

  // Whether nobody waits for an answer any more: the connection has ended, or the server was stopped. (A TCP
  // client that only closes is noticed when something is written; one on the unix socket at once.)
  [[nodiscard]] bool gone() const;

  // `callback` is called once when the client goes before the answer is complete: on the server's thread,
  // where it must not wait; or right here, when it has gone already. It holds no responder.
  void on_gone(std::function<void()> callback) const;

 private:
  std::shared_ptr<Exchange> exchange_;
};

}  // namespace qdedup::daemon
