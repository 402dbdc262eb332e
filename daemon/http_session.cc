#include "daemon/http_session.h"

#include <array>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

namespace qdedup::daemon {
namespace {

using boost::system::error_code;

constexpr std::size_t stream_piece = std::size_t{64} * 1024;

Response response_of(const ReadFailure& failure) { return error_response(failure.status, failure.reason); }

// A responder's way to `exchange`, which learns when its last copy has gone.
Responder responder_of(const std::shared_ptr<Exchange>& exchange) {
  return Responder(std::shared_ptr<Exchange>(exchange.get(), [exchange](Exchange* e) { e->abandon(); }));
}

}  // namespace

HttpSession::HttpSession(DescriptorStream::Socket socket, Peer peer, std::shared_ptr<const HttpSite> site,
                         Host host)
    : stream_(std::move(socket), site->descriptor_budget),
      reader_(stream_, site->limits.header_bytes),
      timer_(stream_.get_executor()),
      peer_(peer),
      site_(std::move(site)),
      host_(std::move(host)) {}

// A callback that keeps the session alive, does nothing when it is closed, and closes it when `function`
// throws: no memory, say.
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
  stream_.socket().close(ignored);
  stream_.descriptors().clear();
  if (exchange_) exchange_->leave();
  host_.end(this);
}

std::optional<HttpSession::Time> HttpSession::dispensable_since() const {
  if (phase_ == Phase::lingering) return idle_since_;
  if (phase_ != Phase::idle) return std::nullopt;
  const bool slow = std::chrono::steady_clock::now() - idle_since_ > site_->limits.header;
  return had_request_ || slow ? std::optional(idle_since_) : std::nullopt;
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
  stream_.socket().cancel();
}

// A client that has closed its end altogether is noticed at once, even while a request is being answered. One
// that closed only its sending half still waits for the answer.
void HttpSession::watch_hang_up() {
  stream_.socket().async_wait(DescriptorStream::Socket::wait_error, guarded([this](error_code error) {
                                if (error != boost::asio::error::operation_aborted) close();
                              }));
}

void HttpSession::await_request() {
  phase_ = Phase::idle;
  idle_since_ = std::chrono::steady_clock::now();
  if (reader_.has_bytes()) return read_head();
  set_deadline(site_->limits.idle);
  stream_.socket().async_wait(DescriptorStream::Socket::wait_read,
                              guarded([this](error_code error) { error ? close() : read_head(); }));
}

void HttpSession::read_head() {
  phase_ = Phase::head;
  had_request_ = true;
  set_deadline(site_->limits.header);
  reader_.read_head(guarded([this](const ReadFailure* failure) { on_head(failure); }));
}

void HttpSession::on_head(const ReadFailure* failure) {
  framing_ = {.keep_alive = false};
  accepted_ = {};
  if (timed_out_) return refuse(error_response(408, "the header took too long"));
  if (failure != nullptr) return failure->status == 0 ? close() : refuse(response_of(*failure));

  head_ = reader_.head();
  framing_.http_1_1 = head_.http_1_1;
  framing_.keep_alive = head_.keep_alive && !head_.has_body && stream_.descriptors().size() == 0;
  auto checked = check_request(head_, peer_.kind, *site_);
  if (auto* refusal = std::get_if<Response>(&checked)) {
    accepted_.head_only = head_.method == "HEAD";
    return refuse(std::move(*refusal));
  }
  accepted_ = std::get<AcceptedRequest>(std::move(checked));
  framing_.keep_alive = head_.keep_alive;
  if (head_.expects_continue && head_.has_body) return invite_body();
  read_body();
}

void HttpSession::invite_body() {
  outgoing_ = "HTTP/1.1 100 Continue\r\n\r\n";
  outgoing_body_.clear();
  write([this] { read_body(); });
}

void HttpSession::read_body() {
  phase_ = Phase::body;
  set_deadline(site_->limits.body);
  reader_.read_body(accepted_.route->options.body_bytes,
                    guarded([this](const ReadFailure* failure) { on_body(failure); }));
}

void HttpSession::on_body(const ReadFailure* failure) {
  const bool keep_alive = std::exchange(framing_.keep_alive, false);
  if (timed_out_) return refuse(error_response(408, "the body took too long"));
  if (failure != nullptr) return failure->status == 0 ? close() : refuse(response_of(*failure));
  if (stream_.lost_descriptors()) return refuse(error_response(503, "too many open files"));
  if (accepted_.descriptors > stream_.descriptors().size()) {
    return refuse(error_response(400, "fewer descriptors came than were counted"));
  }
  framing_.keep_alive = keep_alive;
  dispatch(build_request());
}

Request HttpSession::build_request() {
  Request request{.method = accepted_.method,
                  .path = std::move(accepted_.target.path),
                  .query = std::move(accepted_.target.query),
                  .headers = std::move(head_.headers),
                  .body = reader_.take_body(),
                  .descriptors = stream_.descriptors().take(accepted_.descriptors),
                  .peer = peer_};
  if (!reader_.has_bytes()) stream_.descriptors().clear();  // they came with requests that do not count them
  return request;
}

void HttpSession::dispatch(Request request) {
  phase_ = Phase::answering;
  timer_.cancel();
  const auto wake = [weak = weak_from_this(), executor = stream_.get_executor()] {
    boost::asio::post(executor, [weak] {
      if (const auto self = weak.lock()) self->guarded([&] { self->continue_answer(); })();
    });
  };
  exchange_ = std::make_shared<Exchange>(wake, site_->limits.stream_bytes);
  const Responder responder = responder_of(exchange_);
  try {
    accepted_.route->handler(std::move(request), responder);
  } catch (...) {
    responder.send(error_response(500, "the request could not be handled"));
  }
}

// Sends what the exchange has, until it has nothing.
void HttpSession::continue_answer() {
  if (!exchange_ || phase_ != Phase::answering) return;
  Exchange::News news = exchange_->take(stream_piece);
  outgoing_.clear();
  outgoing_body_.clear();
  if (news.response) begin_answer(std::move(*news.response), news.streamed);
  if (!news.lines.empty() && !accepted_.head_only) {
    outgoing_ += framing_.http_1_1 ? chunk_text(news.lines) : news.lines;
  }
  if (news.finished && news.streamed && framing_.http_1_1 && !accepted_.head_only) outgoing_ += last_chunk;
  if (news.broken && outgoing_.empty()) return close();
  if (news.finished) return write([this] { end_answer(); });
  if (!outgoing_.empty()) {
    write([this] {
      phase_ = Phase::answering;
      timer_.cancel();
      continue_answer();
    });
  }
}

void HttpSession::begin_answer(Response response, bool streamed) {
  framing_.streamed = streamed;
  if (host_.crowded() || (streamed && !framing_.http_1_1)) framing_.keep_alive = false;
  outgoing_ = head_text(response, framing_);
  if (!accepted_.head_only && has_body(response.status)) outgoing_body_ = std::move(response.body);
}

// An answer of the server's own, whatever else came with the request.
void HttpSession::refuse(Response response) {
  stream_.descriptors().clear();
  begin_answer(std::move(response), false);
  write([this] { end_answer(); });
}

void HttpSession::write(std::function<void()> then) {
  phase_ = Phase::writing;
  set_deadline(site_->limits.write);
  const std::array buffers{boost::asio::buffer(outgoing_), boost::asio::buffer(outgoing_body_)};
  boost::asio::async_write(stream_, buffers,
                           guarded([this, then = std::move(then)](error_code error, std::size_t /*size*/) {
                             error ? close() : then();
                           }));
}

void HttpSession::end_answer() {
  if (exchange_) exchange_->complete();
  exchange_.reset();
  outgoing_body_ = {};
  framing_.keep_alive ? await_request() : linger();
}

// The client may not have read the answer yet, and closing on bytes that it has sent would take the answer
// away from it: so only this half is closed, and what still comes is dropped for a while, unless others
// are waiting.
void HttpSession::linger() {
  if (host_.crowded()) return close();
  phase_ = Phase::lingering;
  idle_since_ = std::chrono::steady_clock::now();
  set_deadline(site_->limits.linger);
  error_code ignored;
  stream_.socket().shutdown(DescriptorStream::Socket::shutdown_send, ignored);
  outgoing_.resize(4096);
  drain();
}

void HttpSession::drain() {
  stream_.descriptors().clear();
  stream_.async_read_some(
      boost::asio::buffer(outgoing_),
      guarded([this](error_code error, std::size_t /*size*/) { error ? close() : drain(); }));
}

}  // namespace qdedup::daemon
