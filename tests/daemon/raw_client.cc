#include "tests/daemon/raw_client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace qdedup::daemon {
namespace {

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void check(int result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

RawClient RawClient::to_unix(const std::string& path) {
  RawClient client = unconnected();
  client.connect(path);
  return client;
}

RawClient RawClient::unconnected() {
  return RawClient(FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
}

void RawClient::connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  check(::connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), "connect");
}

RawClient RawClient::to_tcp(std::uint16_t port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  check(::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), "connect");
  return RawClient(std::move(socket));
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

RawAnswer RawClient::read_answer(bool to_head) {
  RawAnswer answer;
  const std::string head = read_until("\r\n\r\n");
  if (!head.ends_with("\r\n\r\n")) return answer;
  answer.status = static_cast<unsigned>(std::stoul(head.substr(9, 3)));
  for (std::size_t at = head.find("\r\n") + 2; head.compare(at, 2, "\r\n") != 0;
       at = head.find("\r\n", at) + 2) {
    const std::size_t colon = head.find(": ", at);
    answer.headers[lowered(head.substr(at, colon - at))] =
        head.substr(colon + 2, head.find("\r\n", at) - colon - 2);
  }
  if (to_head) {
    answer.complete = true;
  } else if (answer.headers.contains("content-length")) {
    const std::size_t size = std::stoul(answer.headers["content-length"]);
    answer.body = take(size);
    answer.complete = answer.body.size() == size;
  } else if (answer.headers.contains("transfer-encoding")) {
    read_chunks(answer);
  } else {
    answer.body = read_to_end();
    answer.complete = true;
  }
  return answer;
}

void RawClient::read_chunks(RawAnswer& answer) {
  while (true) {
    const std::string line = read_until("\r\n");
    if (!line.ends_with("\r\n")) return;
    const std::size_t size = std::stoul(line, nullptr, 16);
    const std::string chunk = take(size + 2);
    if (chunk.size() < size + 2) return;
    answer.body += chunk.substr(0, size);
    if (size == 0) break;
  }
  answer.complete = true;
}

std::string RawClient::read_until(std::string_view end) {
  while (received_.find(end) == std::string::npos) {
    if (!read_more()) return take(received_.size());
  }
  return take(received_.find(end) + end.size());
}

std::string RawClient::read_to_end() {
  while (read_more()) continue;
  return take(received_.size());
}

bool RawClient::at_end() { return received_.empty() && !read_more(); }

void RawClient::close_sending_half() { ::shutdown(socket_.number(), SHUT_WR); }

bool RawClient::read_more() {
  std::array<char, 64 * 1024> piece{};
  const ssize_t size = ::recv(socket_.number(), piece.data(), piece.size(), 0);
  if (size <= 0) return false;
  received_.append(piece.data(), static_cast<std::size_t>(size));
  return true;
}

std::string RawClient::take(std::size_t size) {
  while (received_.size() < size) {
    if (!read_more()) break;
  }
  std::string taken = received_.substr(0, size);
  received_.erase(0, size);
  return taken;
}

}  // namespace qdedup::daemon
