#include "daemon/http_server.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/file_descriptor.h"

namespace qdedup::daemon {
namespace {

using boost::system::error_code;

// The client has gone already, or trying again may work.
bool is_passing(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ECONNABORTED ||
         error == EPROTO;
}

Peer peer_of(int client, Peer::Kind kind) {
  Peer peer{.kind = kind};
  ucred credentials{};
  socklen_t size = sizeof(credentials);
  if (kind == Peer::Kind::unix_socket &&
      ::getsockopt(client, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0) {
    peer.user = credentials.uid;
    peer.process = credentials.pid;
  }
  return peer;
}

sockaddr_storage address_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

}  // namespace

// Accepts the connections of one listening socket, up to a limit. At the limit, or without free descriptors,
// the least important connection is closed to make room; if none can be, the next client waits until one
// ends. A user of a unix socket who has three quarters of them makes room among these, or is refused.
class HttpListener : public std::enable_shared_from_this<HttpListener> {
 public:
  // `socket` listens already.
  HttpListener(boost::asio::io_context& context, FileDescriptor socket, Peer::Kind kind,
               std::shared_ptr<const HttpSite> site);

  void start() { await_client(); }
  void begin_stop();
  void stop();  // and cuts all connections

  [[nodiscard]] bool is_busy() const { return std::ranges::any_of(sessions_, &HttpSession::is_busy); }
  [[nodiscard]] std::size_t connections() const { return sessions_.size(); }

 private:
  void await_client();
  void accept();
  void greet(FileDescriptor client);
  void begin_session(FileDescriptor client, const Peer& peer);
  void end_session(const HttpSession* session);
  bool make_room(std::optional<uid_t> user = std::nullopt);
  [[nodiscard]] bool has_full_share(const Peer& peer) const;
  void pause(int error);

  boost::asio::posix::stream_descriptor socket_;
  boost::asio::steady_timer timer_;
  const Peer::Kind kind_;
  const std::shared_ptr<const HttpSite> site_;
  std::list<std::shared_ptr<HttpSession>> sessions_;
  bool full_ = false;  // a client waits for a session to end
  bool pausing_ = false;
};

HttpListener::HttpListener(boost::asio::io_context& context, FileDescriptor socket, Peer::Kind kind,
                           std::shared_ptr<const HttpSite> site)
    : socket_(context, socket.release()), timer_(context), kind_(kind), site_(std::move(site)) {}

void HttpListener::begin_stop() {
  const std::list<std::shared_ptr<HttpSession>> sessions = sessions_;
  for (const auto& session : sessions) session->begin_stop();
}

void HttpListener::stop() {
  error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
  const std::list<std::shared_ptr<HttpSession>> sessions = std::exchange(sessions_, {});
  for (const auto& session : sessions) session->close();
}

void HttpListener::await_client() {
  if (!socket_.is_open()) return;
  socket_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this()](error_code error) {
                       if (!error && self->socket_.is_open()) self->accept();
                     });
}

void HttpListener::accept() {
  full_ = sessions_.size() >= site_->limits.connections && !make_room();
  if (full_) return;
  FileDescriptor client(::accept4(socket_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  const int error = errno;
  if (!client.open() && !is_passing(error)) {
    make_room();
    return pause(error);
  }
  try {
    if (client.open()) greet(std::move(client));
    pausing_ = false;
  } catch (...) {
    return pause(ENOMEM);
  }
  await_client();
}

void HttpListener::greet(FileDescriptor client) {
  const Peer peer = peer_of(client.number(), kind_);
  if (!has_full_share(peer) || make_room(peer.user)) return begin_session(std::move(client), peer);
  const Response refusal = error_response(503, "this user has too many connections");
  const std::string text = head_text(refusal, {.keep_alive = false}) + refusal.body;
  ::send(client.number(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool HttpListener::has_full_share(const Peer& peer) const {
  const std::size_t share = site_->limits.connections - site_->limits.connections / 4;
  const auto is_of_user = [&](const auto& session) { return session->user() == peer.user; };
  return kind_ == Peer::Kind::unix_socket &&
         static_cast<std::size_t>(std::ranges::count_if(sessions_, is_of_user)) >= share;
}

void HttpListener::begin_session(FileDescriptor client, const Peer& peer) {
  const boost::asio::generic::stream_protocol protocol(address_of(client.number()).ss_family, 0);
  Connection socket(socket_.get_executor());
  const int on = 1;  // sends each line of a stream without waiting for the next
  if (kind_ == Peer::Kind::tcp) ::setsockopt(client.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  socket.assign(protocol, client.number());
  client.release();
  const std::weak_ptr<HttpListener> weak = weak_from_this();
  const auto crowded = [weak] {
    const auto self = weak.lock();
    return self && self->full_;
  };
  const auto end = [weak](const HttpSession* session) {
    if (const auto self = weak.lock()) self->end_session(session);
  };
  sessions_.push_back(
      std::make_shared<HttpSession>(std::move(socket), peer, site_, HttpSession::Owner{crowded, end}));
  sessions_.back()->begin();
}

void HttpListener::end_session(const HttpSession* session) {
  sessions_.remove_if([session](const auto& each) { return each.get() == session; });
  if (std::exchange(full_, false)) await_client();
}

// Closes the least important session, of that user if one is given; false if none can be closed. Sessions
// that have not requested anything go first, except for the last few, whose requests may be on their way.
bool HttpListener::make_room(std::optional<uid_t> user) {
  using Kind = HttpSession::Claim::Kind;
  std::map<Kind, std::shared_ptr<HttpSession>> longest;
  std::size_t silent = 0;
  for (const auto& session : sessions_) {
    const auto claim = session->claim();
    if (!claim || session->user() != user.value_or(session->user())) continue;
    if (claim->kind == Kind::none) ++silent;
    std::shared_ptr<HttpSession>& candidate = longest[claim->kind];
    if (!candidate || claim->waiting_since < candidate->claim()->waiting_since) candidate = session;
  }
  if (silent <= site_->limits.connections / 4 && longest.size() > 1) longest.erase(Kind::none);
  if (longest.empty()) return false;
  longest.begin()->second->close();
  return true;
}

// Without descriptors or memory, the client waits and nothing is tried for a while.
void HttpListener::pause(int error) {
  if (!std::exchange(pausing_, true)) {
    site_->report(errno_error("no connection can be accepted", error).message);
  }
  timer_.expires_after(site_->limits.accept_pause);
  timer_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->await_client();
  });
}

HttpServer::HttpServer(boost::asio::io_context& context, Router router, const HttpLimits& limits,
                       Report report)
    : context_(context),
      site_(std::make_shared<HttpSite>(HttpSite{.router = std::move(router),
                                                .limits = limits,
                                                .report = std::move(report),
                                                .authority = std::nullopt})) {}

HttpServer::~HttpServer() {
  try {
    stop();
  } catch (...) {  // NOLINT(bugprone-empty-catch): memory is out; sockets close by themselves
  }
}

void HttpServer::listen(FileDescriptor socket, Peer::Kind kind) {
  listeners_.push_back(std::make_shared<HttpListener>(context_, std::move(socket), kind, site_));
  listeners_.back()->start();
}

Status HttpServer::listen_unix(const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(unix_socket_, UnixListeningSocket::open(path));
  listen(unix_socket_->take_socket(), Peer::Kind::unix_socket);
  return {};
}

Result<std::uint16_t> HttpServer::listen_tcp(const config::ListenAddress& address, Authority authority) {
  QDEDUP_ASSIGN_OR_RETURN(FileDescriptor socket, listen_on_loopback(address));
  const sockaddr_storage bound = address_of(socket.number());
  replace_authority(std::move(authority));
  listen(std::move(socket), Peer::Kind::tcp);
  // sin_port and sin6_port are at the same offset.
  return ntohs(reinterpret_cast<const sockaddr_in&>(bound).sin_port);
}

void HttpServer::replace_authority(Authority authority) {
  if (site_->authority) authority.take_place_of(*site_->authority);
  site_->authority = std::move(authority);
}

void HttpServer::begin_stop() {
  site_->stopping = true;
  for (const auto& listener : listeners_) listener->begin_stop();
}

bool HttpServer::is_busy() const { return std::ranges::any_of(listeners_, &HttpListener::is_busy); }

void HttpServer::stop() {
  unix_socket_.reset();
  for (const auto& listener : listeners_) listener->stop();
}

std::size_t HttpServer::connections() const {
  std::size_t all = 0;
  for (const auto& listener : listeners_) all += listener->connections();
  return all;
}

}  // namespace qdedup::daemon
