#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include "daemon/authority.h"
#include "daemon/responder.h"
#include "daemon/router.h"

namespace qdedup::daemon {

// Limits on what a client may use.
struct HttpLimits {
  std::size_t header_bytes = std::size_t{16} * 1024;
  std::size_t stream_bytes = std::size_t{512} * 1024;  // that offered lines fill for a slow reader
  std::size_t connections = 64;                        // per listener; more clients wait until one ends

  std::chrono::milliseconds idle{60'000};       // between requests
  std::chrono::milliseconds header{5'000};      // from the first byte of a header to its last; of the
                                                // first, from the beginning of the connection
  std::chrono::milliseconds body{30'000};       // likewise for a body
  std::chrono::milliseconds write{30'000};      // for a response, or for each 64 KiB of a stream
  std::chrono::milliseconds linger{2'000};      // for a refused client to read its response
  std::chrono::milliseconds accept_pause{100};  // after accepting a connection failed
};

// What all connections of a server share.
struct HttpSite {
  Router router;
  HttpLimits limits;
  std::function<void(std::string_view message)> report;
  std::optional<Authority> authority;  // for those over TCP
  bool stopping = false;               // new requests are refused
};

// A client, over a unix socket or TCP.
using Connection = boost::asio::generic::stream_protocol::socket;

// One connection: reads a request, has it handled, sends the response, and so on; one at a time, even if the
// client sends more ahead. It lives as long as one of its operations is pending, and ends by itself.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // What the session needs from the listener that accepted it.
  struct Owner {
    std::function<bool()> crowded;          // others wait for a connection, so this one is not kept alive
    std::function<void(HttpSession*)> end;  // called once, when the session is closed
  };

  HttpSession(Connection socket, Peer peer, std::shared_ptr<const HttpSite> site, Owner owner);

  void begin();

  // Once the server stops: refuses a request that has begun to come.
  void begin_stop();

  // Whether a request is being read, served or answered.
  [[nodiscard]] bool is_busy() const;

  // Closes the connection and notifies the responder of an open request. May be called at any time.
  void close();

  [[nodiscard]] uid_t user() const { return peer_.user; }

  // Since when the session has been waiting for its client, and for what: `none`, an acceptable header, or
  // that it takes a refusal, what everybody may have, or the end of the connection; `served`, the next
  // request; `body`, the rest of a request.
  struct Claim {
    enum class Kind { none, served, body } kind = Kind::none;
    Time waiting_since;
  };
  [[nodiscard]] std::optional<Claim> claim() const;  // none: a request is being served

 private:
  enum class Phase { idle, head, body, responding, writing, lingering };

  // Whether somebody who may has made the present request.
  [[nodiscard]] bool is_let_in() const;
  // Whether the present request is refused because the server stops.
  [[nodiscard]] bool is_refused_at_the_end() const;

  template <class Function>
  auto guarded(Function function);
  void set_deadline(std::chrono::milliseconds time);
  void on_deadline();
  void watch_hang_up();

  void await_request();
  void read_head();
  void on_head(boost::system::error_code error);
  void invite_body();
  void read_body();
  void on_body(boost::system::error_code error);
  void dispatch();

  void continue_response();
  void begin_response(Response response, bool streamed);
  void refuse_unreadable(boost::system::error_code error);
  void refuse(Response response);
  void write(std::function<void()> then);
  void end_response();
  void linger();
  void drain();

  Connection stream_;
  boost::beast::flat_buffer buffer_;  // read but not parsed yet
  std::optional<RequestParser> parser_;
  boost::asio::steady_timer timer_;
  const Peer peer_;
  const std::shared_ptr<const HttpSite> site_;
  const Owner owner_;

  Phase phase_ = Phase::idle;
  Time waiting_since_ = std::chrono::steady_clock::now();  // for the client to do something
  bool had_request_ = false;                               // an accepted one
  bool timed_out_ = false;
  bool closed_ = false;

  AcceptedRequest accepted_;
  std::shared_ptr<PendingResponse> pending_;  // of the request being served
  Framing framing_;
  std::string outgoing_;
  std::string outgoing_body_;
};

}  // namespace qdedup::daemon
