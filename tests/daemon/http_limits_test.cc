// What a client may not take: each limit, and each time.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

using namespace std::chrono_literals;

HttpLimits limits_with(std::chrono::milliseconds HttpLimits::*time) {
  HttpLimits limits;
  limits.*time = 20ms;
  return limits;
}

std::string header_of(std::size_t size) {
  std::string request = "GET /hello HTTP/1.1\r\nHost: localhost\r\nX: ";
  return request + std::string(size - request.size() - 4, 'x') + "\r\n\r\n";
}

TEST(HttpLimit, OfTheHeader) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  client.send(header_of(16 * 1024 - 100));
  EXPECT_EQ(client.read_answer().status, 200U);
  client.send(header_of(17 * 1024));
  EXPECT_EQ(client.read_answer().status, 431U);
  EXPECT_TRUE(client.at_end());
}

TEST(HttpLimit, OfTheHeaderOverManyFields) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  std::string request = "GET /hello HTTP/1.1\r\nHost: localhost\r\n";
  while (request.size() < 40'000) request += "X: y\r\n";
  client.send(request + "\r\n");
  EXPECT_EQ(client.read_answer().status, 431U);
}

TEST(HttpLimit, OfTheTarget) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  client.send("GET /" + std::string(100'000, 'a'));
  EXPECT_EQ(client.read_answer().status, 431U);
}

TEST(HttpLimit, OfTheBodyIsTheRoutes) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  client.send(post_request("/echo", std::string(1000, 'a')));
  EXPECT_EQ(client.read_answer().body.size(), 1000U);
  client.send(post_request("/echo", std::string(1001, 'a')));
  EXPECT_EQ(client.read_answer().status, 413U);
  EXPECT_TRUE(client.at_end());
}

TEST(HttpLimit, OfTheBodyIsJudgedBeforeItComes) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18446744073709551615\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413U);
}

TEST(HttpLimit, OfTheBodyHoldsForChunks) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  std::string request = "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 101; ++i) request += "a\r\n0123456789\r\n";
  client.send(request);
  EXPECT_EQ(client.read_answer().status, 413U);
}

TEST(HttpLimit, OfTheBodyIsNothingForGet) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx");
  EXPECT_EQ(client.read_answer().status, 413U);
}

TEST(HttpLimit, LetsARefusedClientSendOnAndReadTheAnswer) {
  RunningServer server(sample_router());
  RawClient client = server.client();
  client.send(post_request("/echo", std::string(4'000'000, 'a')));
  EXPECT_EQ(client.read_answer().status, 413U);
  EXPECT_TRUE(client.at_end());
}

TEST(HttpTime, OfAnIdleConnectionEndsIt) {
  RunningServer server(sample_router(), limits_with(&HttpLimits::idle));
  RawClient client = server.client();
  client.send(get_request("/hello"));
  EXPECT_EQ(client.read_answer().body, "hello");
  EXPECT_TRUE(client.at_end());
}

TEST(HttpTime, OfTheFirstHeaderRunsFromTheBeginning) {
  RunningServer server(sample_router(), limits_with(&HttpLimits::header));
  RawClient client = server.client();
  EXPECT_TRUE(client.at_end());
}

TEST(HttpTime, OfTheHeaderIs408) {
  RunningServer server(sample_router(), limits_with(&HttpLimits::header));
  RawClient client = server.client();
  client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nX: ");
  const RawAnswer answer = client.read_answer();
  EXPECT_EQ(answer.status, 408U);
  EXPECT_EQ(answer.headers.at("connection"), "close");
  EXPECT_TRUE(client.at_end());
}

TEST(HttpTime, OfTheHeaderIsNotExtendedByEachByte) {
  HttpLimits limits = limits_with(&HttpLimits::header);
  limits.linger = 20ms;
  RunningServer server(sample_router(), limits);
  RawClient client = server.client();
  client.send("GET /hello HTTP/1.1\r\nX: ");
  while (client.send("x")) continue;  // as long as it listens
  EXPECT_NE(client.read_answer().status, 200U);
}

TEST(HttpTime, OfTheBodyIs408) {
  RunningServer server(sample_router(), limits_with(&HttpLimits::body));
  RawClient client = server.client();
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_EQ(client.read_answer().status, 408U);
  EXPECT_TRUE(client.at_end());
}

TEST(HttpTime, OfWritingEndsAConnectionThatIsNotRead) {
  std::promise<void> gone;
  Router router;
  router.get("/large", [&gone](const Request& /*request*/, const Responder& responder) {
    responder->on_gone([&gone] { gone.set_value(); });
    responder->send(text_response(200, std::string(20'000'000, 'a')));
  });
  RunningServer server(std::move(router), limits_with(&HttpLimits::write));
  RawClient client = server.client();
  client.send(get_request("/large"));
  gone.get_future().wait();
  EXPECT_FALSE(client.read_answer().complete);
}

TEST(HttpTime, OfLingeringEndsAClientThatSendsOn) {
  RunningServer server(sample_router(), limits_with(&HttpLimits::linger));
  RawClient client = server.client();
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n");
  const std::string piece(10'000, 'a');
  while (client.send(piece)) continue;
  EXPECT_EQ(client.read_answer().status, 413U);
}

}  // namespace
}  // namespace qdedup::daemon
