// What a browser may send for a page, and what not.
#include <string>

#include <gtest/gtest.h>

#include "daemon/http_message.h"
#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

constexpr const char* own_host = "Host: localhost\r\n";
constexpr const char* bearer = "Authorization: Bearer 0123456789abcdef\r\n";
constexpr const char* basic = "Authorization: Basic YW5uOjAxMjM0NTY3ODlhYmNkZWY=\r\n";  // ann
constexpr const char* json = "Content-Type: application/json\r\n";
constexpr const char* origin = "Origin: http://localhost\r\n";

Router page_router() {
  Router router = sample_router();
  router.post("/json",
              [](const Request&, const Responder& responder) { responder->send(json_response(200, "{}")); },
              {.body_bytes = 100, .json = true});
  return router;
}

class ForeignPage : public testing::Test {
 protected:
  unsigned post(const std::string& headers, const std::string& path = "/json") {
    return send(RawClient::to_tcp(port_), "POST", headers, path);
  }
  unsigned post_unix(const std::string& headers) { return send(server_.client(), "POST", headers, "/json"); }

  static unsigned send(RawClient client, const std::string& method, const std::string& headers,
                       const std::string& path) {
    const std::string body = method == "POST" ? "Content-Length: 2\r\n\r\n{}" : "\r\n";
    client.send(method + " " + path + " HTTP/1.1\r\n" + headers + body);
    return client.read_answer().status;
  }

  RunningServer server_{page_router()};
  std::uint16_t port_ = server_.listen_tcp();
};

TEST_F(ForeignPage, OursMayPost) {
  EXPECT_EQ(post(std::string(own_host) + basic + json + origin), 200U);
  EXPECT_EQ(post(std::string(own_host) + basic + json + origin + "Sec-Fetch-Site: same-origin\r\n"), 200U);
  EXPECT_EQ(
      post(std::string(own_host) + basic + "Content-Type: Application/JSON; charset=utf-8\r\n" + origin),
      200U);
}

TEST_F(ForeignPage, MayNotPost) {
  const std::string head = std::string(own_host) + basic + json;
  for (const char* from :
       {"Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: https://localhost\r\n",
        "Origin: http://localhost:80\r\n", "Origin: http://localhost.evil.example\r\n",
        "Origin: http://localhost\r\nOrigin: http://localhost\r\n", "Origin: \r\n",
        "Origin: http://localhost\r\nSec-Fetch-Site: cross-site\r\n",
        "Origin: http://localhost\r\nSec-Fetch-Site: same-site\r\n", "Sec-Fetch-Site: none\r\n"}) {
    EXPECT_EQ(post(head + from), 403U) << from;
    EXPECT_EQ(post(head + from, "/echo"), 403U) << from;
  }
}

TEST_F(ForeignPage, MayLinkAndNotAsk) {
  const auto get = [&](const std::string& headers) {
    return send(RawClient::to_tcp(port_), "GET", std::string(own_host) + basic + headers, "/hello");
  };
  EXPECT_EQ(get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"), 403U);
  EXPECT_EQ(get("Sec-Fetch-Site: same-site\r\n"), 403U);
  EXPECT_EQ(get("Origin: http://evil.example\r\n"), 403U);
  EXPECT_EQ(get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"), 200U);
  EXPECT_EQ(get("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\n"), 200U);
  EXPECT_EQ(get("Sec-Fetch-Site: none\r\n"), 200U);
}

TEST_F(ForeignPage, MayNotUseWhatTheBrowserSendsByItself) {
  EXPECT_EQ(post(std::string(own_host) + basic + json), 403U);
  EXPECT_EQ(post(std::string(own_host) + bearer + json), 200U);
}

TEST_F(ForeignPage, MayNotPostAForm) {
  for (const char* type :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: application/jsonp\r\n",
        "Content-Type: application/json\r\nContent-Type: text/plain\r\n"}) {
    EXPECT_EQ(post(std::string(own_host) + basic + origin + type), 415U) << type;
    EXPECT_EQ(post_unix(std::string(own_host) + type), 415U) << type;
  }
}

TEST_F(ForeignPage, IsJudgedBehindHostAndToken) {
  EXPECT_EQ(post(std::string("Host: evil.example\r\nOrigin: http://evil.example\r\n") + basic + json), 421U);
  EXPECT_EQ(post(std::string(own_host) + json + origin), 401U);
}

TEST_F(ForeignPage, ReachesNothingThroughATunnelToTheUnixSocket) {
  EXPECT_EQ(post_unix("Host: localhost:8000\r\nOrigin: http://localhost:8000\r\n" + std::string(json)), 200U);
  EXPECT_EQ(post_unix("Host: [::1]:80\r\nOrigin: http://[::1]:80\r\n" + std::string(json)), 200U);
  EXPECT_EQ(post_unix(std::string(own_host) + json), 200U);
  EXPECT_EQ(post_unix("Host: evil.example\r\nOrigin: http://evil.example\r\n" + std::string(json)), 421U);
  EXPECT_EQ(post_unix("Host: localhost\r\nOrigin: http://evil.example\r\n" + std::string(json)), 403U);
  // A page that has its own name pointed at the tunnel: browsers tell nothing but Host on such a GET.
  for (const char* path : {"/hello", "/echo", "/json", "/nowhere"}) {
    EXPECT_EQ(send(server_.client(), "GET", "Host: evil.example:8080\r\n", path), 421U) << path;
  }
  EXPECT_EQ(send(server_.client(), "GET", "Host: evil.example\r\nSec-Fetch-Site: none\r\n", "/hello"), 421U);
  EXPECT_EQ(send(server_.client(), "GET", "Host: localhost\r\nSec-Fetch-Site: none\r\n", "/hello"), 200U);
}

}  // namespace
}  // namespace qdedup::daemon
