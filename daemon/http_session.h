#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "daemon/descriptor_stream.h"
#include "daemon/exchange.h"
#include "daemon/http_site.h"
#include "daemon/request_check.h"
#include "daemon/request_reader.h"
#include "daemon/response_text.h"

namespace qdedup::daemon {

// One connection: reads a request, has it answered, sends the answer, and so on; one at a time, whatever the
// client has sent ahead. It lives as long as something of it is under way, and ends by itself.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // What the session asks of, and tells, whoever accepted it.
  struct Host {
    std::function<bool()> crowded;          // others wait for a connection, so this one is not kept alive
    std::function<void(HttpSession*)> end;  // it is closed; called once
  };

  HttpSession(DescriptorStream::Socket socket, Peer peer, std::shared_ptr<const HttpSite> site, Host host);

  void begin();

  // Cuts the connection, and tells the responder of an open request. May be called at any time.
  void close();

  // Since when it has been waiting for a request, if it has had one, or for too long. None: it is at work.
  [[nodiscard]] std::optional<Time> dispensable_since() const;

 private:
  enum class Phase { idle, head, body, answering, writing, lingering };

  template <class Function>
  auto guarded(Function function);
  void set_deadline(std::chrono::milliseconds time);
  void on_deadline();
  void watch_hang_up();

  void await_request();
  void read_head();
  void on_head(const ReadFailure* failure);
  void invite_body();
  void read_body();
  void on_body(const ReadFailure* failure);
  Request build_request();
  void dispatch(Request request);

  void continue_answer();
  void begin_answer(Response response, bool streamed);
  void refuse(Response response);
  void write(std::function<void()> then);
  void end_answer();
  void linger();
  void drain();

  DescriptorStream stream_;
  RequestReader reader_;
  boost::asio::steady_timer timer_;
  const Peer peer_;
  const std::shared_ptr<const HttpSite> site_;
  const Host host_;

  Phase phase_ = Phase::idle;
  Time idle_since_ = std::chrono::steady_clock::now();
  bool had_request_ = false;
  bool timed_out_ = false;
  bool closed_ = false;

  RequestHead head_;
  AcceptedRequest accepted_;
  std::shared_ptr<Exchange> exchange_;  // of the request that is being answered
  Framing framing_;
  std::string outgoing_;
  std::string outgoing_body_;
};

}  // namespace qdedup::daemon
