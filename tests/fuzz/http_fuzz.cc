// What a client sends: a session never crashes, never waits for more than the client could give, ends when
// the client has said all it has to say, and keeps no descriptor. What it decodes stays harmless.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/host.h"
#include "daemon/authority.h"
#include "daemon/http_message.h"
#include "daemon/http_session.h"
#include "daemon/sign_in.h"

namespace {

using namespace qdedup;
using namespace qdedup::daemon;

void require(bool condition) {
  if (!condition) std::abort();
}

void echo(const Request& request, const Responder& responder) {
  if (request.body.size() % 2 == 0) return responder->send(text_response(200, request.body));
  responder->begin_stream();
  for (int i = 0; i < 3; ++i) responder->write(request.body);
}

std::shared_ptr<const HttpSite> site() {
  static const auto shared = [] {
    auto made = std::make_shared<HttpSite>();
    made->router.get("/hello", [](const Request& request, const Responder& responder) {
      responder->send(text_response(200, request.target.path));
    });
    made->router.post("/echo", echo, {.body_bytes = 100});
    made->router.get("/forgets", [](const Request& /*request*/, const Responder& /*responder*/) {});
    return made;
  }();
  return shared;
}

// What stands before the bytes of the input, so that they get somewhere.
constexpr std::array<std::string_view, 6> beginnings = {
    "",
    "GET ",
    "GET /hello HTTP/1.1\r\nHost: localhost\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx"
    "GET /forgets HTTP/1.1\r\n",
};

bool read_what_came(int socket) {
  std::array<char, 64 * 1024> bytes{};
  return ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0;
}

int lowest_free_descriptor() {
  const FileDescriptor next(::dup(0));
  return next.number();
}

// Sends `input` in pieces, and lets the session work until it ends by itself.
void run_session(std::string_view input, std::size_t piece_size) {
  boost::asio::io_context context(1);
  std::array<int, 2> ends{};
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const FileDescriptor client(ends[0]);
  Connection socket(context, boost::asio::generic::stream_protocol(AF_UNIX, 0), ends[1]);
  bool ended = false;
  HttpSession::Owner owner{.crowded = [] { return false; },
                           .end = [&ended](HttpSession* /*session*/) { ended = true; }};
  std::make_shared<HttpSession>(std::move(socket), Peer{.kind = Peer::Kind::unix_socket}, site(), owner)
      ->begin();
  while (!input.empty() && !ended) {
    const std::string_view piece = input.substr(0, piece_size);
    input.remove_prefix(piece.size());
    ::send(client.number(), piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    context.poll();
    read_what_came(client.number());
  }
  ::shutdown(client.number(), SHUT_WR);
  while (!ended) {
    const bool worked = context.poll() > 0;
    require(read_what_came(client.number()) || worked || ended);
  }
}

void check_target(std::string_view text) {
  const auto target = RequestTarget::parse(text);
  if (!target) return;
  require(target->path.starts_with('/') && target->path.find("/../") == std::string::npos &&
          !target->path.ends_with("/..") && target->path.find('\0') == std::string::npos);
}

void check_authority(std::string_view text) {
  static const Authority authority = *Authority::create({{"localhost:9631"}, "0123456789abcdef"});
  const std::string_view host = text.substr(0, text.find('\n'));
  const std::string_view rest = text.substr(host.size());
  const Verdict verdict = authority.judge({host}, {rest}).verdict;
  require((verdict == Verdict::bad_host) == !is_host(host));
  require(verdict != Verdict::granted || rest.ends_with("0123456789abcdef"));
  require(authority.judge({"localhost:9631"}, {text}).verdict != Verdict::granted ||
          text.ends_with("0123456789abcdef"));
}

// A cookie that is found is in one of the headers, once, behind its name.
void check_cookie(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::vector<std::string_view> headers = {text.substr(0, end), text.substr(end)};
  const auto cookie = cookie_named(headers, "qdedup");
  if (!cookie) return;
  const std::string pair = "qdedup=" + std::string(*cookie);
  require(cookie->find(';') == std::string_view::npos && text.find(pair) != std::string_view::npos);
  require(!cookie_named({text.substr(0, end), text.substr(end), pair}, "qdedup"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  check_target(text);
  check_authority(text);
  check_cookie(text);
  const int before = lowest_free_descriptor();
  run_session(std::string(beginnings[data[0] % beginnings.size()]) + std::string(text),
              std::size_t{data[1]} + 1);
  require(lowest_free_descriptor() == before);
  return 0;
}
