#include "daemon/http_session.h"

#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include "base/containers.h"
#include "base/error.h"

namespace qdedup::daemon {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t stream_piece = std::size_t{64} * 1024;

Response stopping_response() {
  Response response = error_response(503, "the daemon stops");
  response.headers.emplace_back("Retry-After", "5");  // seconds, as stopping takes
  return response;
}

// None if there is nobody to respond to.
std::optional<Response> response_to(const error_code& error) {
  if (error == http::error::end_of_stream) return std::nullopt;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return error_response(431, "the header is too long");
  }
  if (error == http::error::body_limit) return error_response(413, "the body is too long");
  if (error == http::error::partial_message) return error_response(400, "the request ends early");
  if (error.category() == make_error_code(http::error::bad_method).category()) {
    return error_response(400, "not an HTTP/1.1 request");
  }
  return std::nullopt;
}

}  // namespace

HttpSession::HttpSession(Connection socket, Peer peer, std::shared_ptr<const HttpSite> site, Owner owner)
    : stream_(std::move(socket)),
      buffer_(2 * site->limits.header_bytes),
      timer_(stream_.get_executor()),
      peer_(peer),
      site_(std::move(site)),
      owner_(std::move(owner)) {
  buffer_.reserve(buffer_.max_size());
}

// Wraps a callback so that it keeps the session alive, does nothing once the session is closed, and closes it
// if `function` throws (out of memory, for example).
template <class Function>
auto HttpSession::guarded(Function function) {
  return [self = shared_from_this(), function = std::move(function)](auto... arguments) {
    if (self->closed_) return;
    try {
      function(arguments...);
    } catch (...) {
      self->close();
    }
  };
}

void HttpSession::begin() {
  guarded([this] {
    watch_hang_up();
    await_request();
  })();
}

void HttpSession::close() {
  if (std::exchange(closed_, true)) return;
  timer_.cancel();
  error_code ignored;
  stream_.close(ignored);
  if (pending_) pending_->leave();
  owner_.end(this);
}

void HttpSession::begin_stop() {
  if (phase_ == Phase::head || (phase_ == Phase::body && is_refused_at_the_end())) stream_.cancel();
}

bool HttpSession::is_busy() const { return phase_ != Phase::idle && phase_ != Phase::lingering; }

bool HttpSession::is_refused_at_the_end() const {
  return site_->stopping && !accepted_.route->options.is_last;
}

std::optional<HttpSession::Claim> HttpSession::claim() const {
  switch (phase_) {
    case Phase::idle:
    case Phase::head:
      return Claim{had_request_ ? Claim::Kind::served : Claim::Kind::none, waiting_since_};
    case Phase::lingering:
      return Claim{Claim::Kind::none, waiting_since_};
    case Phase::body:
      return Claim{Claim::Kind::body, waiting_since_};
    case Phase::writing:
      if (!is_let_in()) return Claim{Claim::Kind::none, waiting_since_};
      break;
    case Phase::responding:
      break;
  }
  return std::nullopt;
}

bool HttpSession::is_let_in() const {
  return accepted_.route != nullptr && !accepted_.route->options.is_open;
}

void HttpSession::set_deadline(std::chrono::milliseconds time) {
  timer_.expires_after(time);
  timer_.async_wait(guarded([this](error_code error) {
    if (!error && timer_.expiry() <= std::chrono::steady_clock::now()) on_deadline();
  }));
}

void HttpSession::on_deadline() {
  if (phase_ != Phase::head && phase_ != Phase::body) return close();
  timed_out_ = true;
  stream_.cancel();
}

// Notices at once when a client closes its connection, even while its request is being served. A client that
// closed only its sending side still gets its response.
void HttpSession::watch_hang_up() {
  stream_.async_wait(Connection::wait_error, guarded([this](error_code error) {
                       if (error != boost::asio::error::operation_aborted) close();
                     }));
}

void HttpSession::await_request() {
  phase_ = Phase::idle;
  waiting_since_ = std::chrono::steady_clock::now();
  if (buffer_.size() > 0) return read_head();
  set_deadline(had_request_ ? site_->limits.idle : site_->limits.header);
  stream_.async_wait(Connection::wait_read,
                     guarded([this](error_code error) { error ? close() : read_head(); }));
}

// The deadline for the first header runs from the start of the connection.
void HttpSession::read_head() {
  phase_ = Phase::head;
  if (had_request_) set_deadline(site_->limits.header);
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(site_->limits.header_bytes));
  // Checked later; boost::none would mean no limit.
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
  http::async_read_header(stream_, buffer_, *parser_,
                          guarded([this](error_code error, std::size_t /*size*/) { on_head(error); }));
}

void HttpSession::on_head(error_code error) {
  framing_ = {.keep_alive = false};
  accepted_ = {};
  if (site_->stopping && error == boost::asio::error::operation_aborted) return refuse(stopping_response());
  if (timed_out_) return refuse(error_response(408, "the header took too long"));
  if (error) return refuse_unreadable(error);

  const auto& head = parser_->get();
  framing_.http_1_1 = head.version() == 11;
  auto checked = check_request(*parser_, peer_.kind, site_->router, site_->authority);
  if (auto* refusal = std::get_if<Response>(&checked)) {
    accepted_.head_only = head.method() == http::verb::head;
    return refuse(std::move(*refusal));
  }
  accepted_ = std::get<AcceptedRequest>(std::move(checked));
  had_request_ = true;
  framing_.keep_alive = head.keep_alive();
  const bool expects_continue = boost::beast::iequals(head[http::field::expect], "100-continue");
  expects_continue && !parser_->is_done() ? invite_body() : read_body();
}

void HttpSession::invite_body() {
  outgoing_ = "HTTP/1.1 100 Continue\r\n\r\n";
  outgoing_body_.clear();
  write([this] { read_body(); });
}

void HttpSession::read_body() {
  if (is_refused_at_the_end()) return refuse(stopping_response());
  phase_ = Phase::body;
  waiting_since_ = std::chrono::steady_clock::now();
  set_deadline(site_->limits.body);
  parser_->body_limit(accepted_.route->options.body_bytes);
  http::async_read(stream_, buffer_, *parser_,
                   guarded([this](error_code error, std::size_t /*size*/) { on_body(error); }));
}

void HttpSession::on_body(error_code error) {
  if (is_refused_at_the_end()) return refuse(stopping_response());
  if (timed_out_) return refuse(error_response(408, "the body took too long"));
  if (error) return refuse_unreadable(error);
  if (auto refusal = accepted_.request.refusal_by_now()) return refuse(*std::move(refusal));
  dispatch();
}

void HttpSession::dispatch() {
  phase_ = Phase::responding;
  timer_.cancel();
  const auto wake = [weak = weak_from_this(), executor = stream_.get_executor()] {
    boost::asio::post(executor, [weak] {
      if (const auto self = weak.lock()) self->guarded([&] { self->continue_response(); })();
    });
  };
  pending_ = std::make_shared<PendingResponse>(wake, site_->limits.stream_bytes);
  const Responder responder = make_responder(pending_);
  try {
    accepted_.request.body = std::move(parser_->get().body());
    accepted_.request.peer = peer_;
    accepted_.route->handler(std::move(accepted_.request), responder);
  } catch (const std::bad_alloc& exception) {
    responder->send(error_response(500, exception_error(exception).message));
  } catch (...) {
    responder->send(error_response(500, "the request could not be handled"));
  }
}

// Sends what there is of the response so far.
void HttpSession::continue_response() {
  if (!pending_ || phase_ != Phase::responding) return;
  PendingResponse::Output output = pending_->take(stream_piece);
  outgoing_.clear();
  outgoing_body_.clear();
  if (output.unanswered)
    output.response = site_->stopping ? stopping_response() : error_response(500, "no answer");
  if (output.response) begin_response(std::move(*output.response), output.streamed);
  if (!output.lines.empty()) outgoing_ += framing_.http_1_1 ? chunk_text(output.lines) : output.lines;
  if (output.broken && outgoing_.empty()) return close();
  if (output.finished) return write([this] { end_response(); });
  if (!outgoing_.empty()) {
    write([this] {
      phase_ = Phase::responding;
      timer_.cancel();
      continue_response();
    });
  }
}

void HttpSession::begin_response(Response response, bool streamed) {
  framing_.streamed = streamed;
  const bool is_last = owner_.crowded() || site_->stopping || (streamed && !framing_.http_1_1);
  if (is_last) framing_.keep_alive = false;
  outgoing_ = head_text(response, framing_);
  if (!accepted_.head_only && has_body(response.status)) outgoing_body_ = std::move(response.body);
}

void HttpSession::refuse_unreadable(error_code error) {
  std::optional<Response> response = response_to(error);
  response ? refuse(*std::move(response)) : close();
}

// Sends a response made by the server itself and ends the connection, so that nothing else the client sent
// can be taken for another request.
void HttpSession::refuse(Response response) {
  framing_.keep_alive = false;
  begin_response(std::move(response), false);
  write([this] { end_response(); });
}

void HttpSession::write(std::function<void()> then) {
  phase_ = Phase::writing;
  waiting_since_ = std::chrono::steady_clock::now();
  set_deadline(site_->limits.write);
  const std::array buffers{boost::asio::buffer(outgoing_), boost::asio::buffer(outgoing_body_)};
  boost::asio::async_write(stream_, buffers,
                           guarded([this, then = std::move(then)](error_code error, std::size_t /*size*/) {
                             error ? close() : then();
                           }));
}

void HttpSession::end_response() {
  if (pending_) pending_->complete();
  pending_.reset();
  release(outgoing_body_);
  framing_.keep_alive ? await_request() : linger();
}

// The client may not have read the response yet, and closing the connection while bytes from it are unread
// would destroy the response. So only the sending side is closed, and input is discarded for a while, unless
// others wait for a connection.
void HttpSession::linger() {
  if (owner_.crowded()) return close();
  phase_ = Phase::lingering;
  waiting_since_ = std::chrono::steady_clock::now();
  set_deadline(site_->limits.linger);
  error_code ignored;
  stream_.shutdown(Connection::shutdown_send, ignored);
  outgoing_.resize(4096);
  drain();
}

void HttpSession::drain() {
  stream_.async_read_some(
      boost::asio::buffer(outgoing_),
      guarded([this](error_code error, std::size_t /*size*/) { error ? close() : drain(); }));
}

}  // namespace qdedup::daemon
