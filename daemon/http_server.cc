#include "daemon/http_server.h"

#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <netinet/in.h>
#include <sys/socket.h>

#include "daemon/http_listener.h"
#include "daemon/http_site.h"
#include "daemon/listening_socket.h"

namespace qdedup::daemon {
namespace {

std::uint16_t port_of(int socket) {
  sockaddr_storage place{};
  socklen_t size = sizeof(place);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &size) != 0) return 0;
  const bool ipv6 = place.ss_family == AF_INET6;
  return ntohs(ipv6 ? reinterpret_cast<const sockaddr_in6&>(place).sin6_port
                    : reinterpret_cast<const sockaddr_in&>(place).sin_port);
}

}  // namespace

struct HttpServer::Parts {
  boost::asio::io_context& context;
  std::shared_ptr<HttpSite> site;
  std::optional<UnixListeningSocket> unix_socket{};
  std::shared_ptr<HttpListener> unix_listener{};
  std::shared_ptr<HttpListener> tcp_listener{};
  std::uint16_t tcp_port = 0;

  std::shared_ptr<HttpListener> listen(FileDescriptor socket, Peer::Kind kind) {
    auto listener = std::make_shared<HttpListener>(context, std::move(socket), kind, site);
    listener->start();
    return listener;
  }
};

HttpServer::HttpServer(boost::asio::io_context& context, Router router, const HttpLimits& limits,
                       Report report)
    : parts_(new Parts{.context = context,
                       .site = std::make_shared<HttpSite>(HttpSite{
                           .router = std::move(router),
                           .limits = limits,
                           .report = report ? std::move(report) : [](std::string_view) {},
                           .descriptor_budget = std::make_shared<DescriptorBudget>(limits.descriptors),
                           .authority = std::nullopt})}) {}

HttpServer::~HttpServer() { stop(); }

Status HttpServer::listen_unix(const std::string& path) {
  Result<UnixListeningSocket> opened = UnixListeningSocket::open(path);
  if (!opened.ok()) return opened.error();
  parts_->unix_socket.emplace(std::move(*opened));
  parts_->unix_listener = parts_->listen(parts_->unix_socket->take_socket(), Peer::Kind::unix_socket);
  return {};
}

Status HttpServer::listen_tcp(const std::string& address, Authority authority) {
  Result<FileDescriptor> opened = listen_on_loopback(address);
  if (!opened.ok()) return opened.error();
  replace_authority(std::move(authority));
  parts_->tcp_port = port_of(opened->number());
  parts_->tcp_listener = parts_->listen(std::move(*opened), Peer::Kind::tcp);
  return {};
}

std::uint16_t HttpServer::tcp_port() const { return parts_->tcp_port; }

void HttpServer::replace_authority(Authority authority) { parts_->site->authority = std::move(authority); }

void HttpServer::stop() {
  parts_->unix_socket.reset();
  if (parts_->unix_listener) parts_->unix_listener->stop();
  if (parts_->tcp_listener) parts_->tcp_listener->stop();
}

std::size_t HttpServer::connections() const {
  const auto& unix_listener = parts_->unix_listener;
  const auto& tcp_listener = parts_->tcp_listener;
  return (unix_listener ? unix_listener->connections() : 0) +
         (tcp_listener ? tcp_listener->connections() : 0);
}

}  // namespace qdedup::daemon
