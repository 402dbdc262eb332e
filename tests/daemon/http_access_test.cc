// Who may come in over TCP.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

class HttpAccess : public testing::Test {
 protected:
  RawAnswer ask(const std::string& headers, const std::string& path = "/hello") {
    RawClient client = RawClient::to_tcp(port_);
    client.send("GET " + path + " HTTP/1.1\r\n" + headers + "\r\n");
    return client.read_answer();
  }

  RunningServer server_{sample_router()};
  std::uint16_t port_ = server_.listen_tcp();
};

constexpr const char* host_field = "Host: localhost\r\n";
constexpr const char* token_field = "Authorization: Bearer 0123456789abcdef\r\n";

TEST_F(HttpAccess, IsGrantedToTheRightHostAndToken) {
  EXPECT_EQ(ask(std::string(host_field) + token_field).body, "hello");
  RawClient client = RawClient::to_tcp(port_);
  client.send("POST /echo HTTP/1.1\r\nContent-Length: 2\r\n" + std::string(host_field) + token_field +
              "\r\nok");
  EXPECT_EQ(client.read_answer().body, "ok");
}

TEST_F(HttpAccess, IsMisdirectedForAnotherHost) {
  EXPECT_EQ(ask("Host: evil.example\r\n" + std::string(token_field)).status, 421U);
  EXPECT_EQ(ask("Host: evil.example\r\n").status, 421U);
  EXPECT_EQ(ask("Host: 127.0.0.1\r\n" + std::string(token_field)).status, 421U);
  EXPECT_EQ(ask(token_field).status, 400U);
}

TEST_F(HttpAccess, IsUnauthorisedForAnotherToken) {
  EXPECT_EQ(ask(host_field).status, 401U);
  const RawAnswer answer = ask(std::string(host_field) + "Authorization: Bearer 0123456789abcdeF\r\n");
  EXPECT_EQ(answer.status, 401U);
  EXPECT_THAT(answer.headers.at("www-authenticate"),
              testing::AnyOf("Bearer", R"(Basic realm="qdedup", charset="UTF-8")"));
}

TEST_F(HttpAccess, IsJudgedBeforeAnythingElseIsTold) {
  EXPECT_EQ(ask(host_field, "/nowhere").status, 401U);
  EXPECT_EQ(ask(host_field, "/../hello").status, 401U);
  EXPECT_EQ(ask(host_field, "/echo").status, 401U);
}

TEST_F(HttpAccess, ThatIsRefusedEndsTheConnection) {
  const std::string granted = "GET /hello HTTP/1.1\r\n" + std::string(host_field) + token_field + "\r\n";
  for (const std::string refused : {"Host: localhost\r\n", "Host: evil.example\r\n"}) {
    RawClient client = RawClient::to_tcp(port_);
    client.send("GET /hello HTTP/1.1\r\n" + refused + "\r\n" + granted);
    client.close_sending_half();
    EXPECT_EQ(client.read_to_end().rfind("HTTP/1.1 4"), 0U) << refused;
  }
}

TEST_F(HttpAccess, IsJudgedBeforeTheBodyIsRead) {
  RawClient client = RawClient::to_tcp(port_);
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 401U);
  EXPECT_TRUE(client.at_end());
}

TEST_F(HttpAccess, FollowsAReload) {
  server_.on_thread([](HttpServer& server) {
    server.replace_authority(*Authority::create({{"other.example"}, "another-token-to-use"}));
  });
  EXPECT_EQ(ask(std::string(host_field) + token_field).status, 421U);
  EXPECT_EQ(ask("Host: other.example\r\nAuthorization: Bearer another-token-to-use\r\n").status, 200U);
}

TEST_F(HttpAccess, IsNotAskedForOnTheUnixSocket) {
  RawClient client = server_.client();
  client.send(get_request("/hello"));
  EXPECT_EQ(client.read_answer().status, 200U);
}

}  // namespace
}  // namespace qdedup::daemon
