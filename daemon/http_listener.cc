#include "daemon/http_listener.h"

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/error.h"

namespace qdedup::daemon {
namespace {

using boost::system::error_code;

// The client was gone again, or another one will come.
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
  }
  return peer;
}

int family_of(int socket) {
  int family = AF_UNSPEC;
  socklen_t size = sizeof(family);
  ::getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size);
  return family;
}

}  // namespace

HttpListener::HttpListener(boost::asio::io_context& context, FileDescriptor socket, Peer::Kind kind,
                           std::shared_ptr<const HttpSite> site)
    : socket_(context, socket.release()), timer_(context), kind_(kind), site_(std::move(site)) {}

void HttpListener::start() { await_client(); }

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
  if (!client.open() && !is_passing(error)) return pause(error);
  try {
    if (client.open()) begin_session(std::move(client));
    pausing_ = false;
  } catch (...) {
    return pause(ENOMEM);
  }
  await_client();
}

void HttpListener::begin_session(FileDescriptor client) {
  const Peer peer = peer_of(client.number(), kind_);
  const boost::asio::generic::stream_protocol protocol(family_of(client.number()), 0);
  DescriptorStream::Socket socket(socket_.get_executor());
  const int on = 1;  // a line of a stream does not wait for the next one
  if (kind_ == Peer::Kind::tcp) ::setsockopt(client.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  socket.assign(protocol, client.number());
  client.release();
  const std::weak_ptr<HttpListener> weak = weak_from_this();
  const HttpSession::Host host{.crowded =
                                   [weak] {
                                     const auto self = weak.lock();
                                     return self && self->full_;
                                   },
                               .end =
                                   [weak](const HttpSession* session) {
                                     if (const auto self = weak.lock()) self->end_session(session);
                                   }};
  sessions_.push_back(std::make_shared<HttpSession>(std::move(socket), peer, site_, host));
  sessions_.back()->begin();
}

void HttpListener::end_session(const HttpSession* session) {
  sessions_.remove_if([session](const auto& each) { return each.get() == session; });
  if (std::exchange(full_, false)) await_client();
}

// Closes the session that can best be missed; false: none can.
bool HttpListener::make_room() {
  std::shared_ptr<HttpSession> longest;
  for (const auto& session : sessions_) {
    const auto since = session->dispensable_since();
    if (since && (!longest || *since < *longest->dispensable_since())) longest = session;
  }
  if (longest) longest->close();
  return longest != nullptr;
}

// There is no descriptor or no memory left: the client waits, and nothing is tried for a while.
void HttpListener::pause(int error) {
  if (!std::exchange(pausing_, true)) {
    site_->report(errno_error("no connection can be accepted", error).message);
  }
  timer_.expires_after(site_->limits.accept_pause);
  timer_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->await_client();
  });
}

}  // namespace qdedup::daemon
