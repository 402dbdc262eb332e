// What is asked, and what is answered: one request after the other, over the unix socket.
#include <stdexcept>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

using testing::HasSubstr;

class HttpRequest : public testing::Test {
 protected:
  RawAnswer ask(std::string_view request) {
    RawClient client = server_.client();
    client.send(request);
    return client.read_answer();
  }
  RawAnswer ask_head_only(std::string_view request) {
    RawClient client = server_.client();
    client.send(request);
    return client.read_answer(true);
  }

  RunningServer server_{sample_router()};
};

TEST_F(HttpRequest, IsAnswered) {
  const RawAnswer answer = ask(get_request("/hello"));
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.headers.at("content-length"), "5");
  EXPECT_EQ(answer.headers.at("cache-control"), "no-store");
  EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff");
}

TEST_F(HttpRequest, BringsItsBodyWhateverTheFraming) {
  EXPECT_EQ(ask(post_request("/echo", "some text")).body, "some text");
  EXPECT_EQ(ask("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                "4\r\nsome\r\n5;x=y\r\n text\r\n0\r\n\r\n")
                .body,
            "some text");
  EXPECT_EQ(ask(post_request("/echo", "")).status, 200U);
}

TEST_F(HttpRequest, MayFollowOnTheSameConnection) {
  RawClient client = server_.client();
  for (int i = 0; i < 3; ++i) {
    client.send(get_request("/hello"));
    EXPECT_EQ(client.read_answer().headers.at("connection"), "keep-alive");
    client.send(post_request("/echo", "x"));
    EXPECT_EQ(client.read_answer().body, "x");
  }
}

TEST_F(HttpRequest, MayBeSentAhead) {
  RawClient client = server_.client();
  std::string many;
  for (int i = 0; i < 500; ++i) many += post_request("/echo", std::to_string(i)) + get_request("/hello");
  client.send(many);
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(client.read_answer().body, std::to_string(i));
    EXPECT_EQ(client.read_answer().body, "hello");
  }
}

TEST_F(HttpRequest, MayComeByteByByte) {
  RawClient client = server_.client();
  for (const char c : post_request("/echo", "bytes")) client.send(std::string(1, c));
  EXPECT_EQ(client.read_answer().body, "bytes");
}

TEST_F(HttpRequest, EndsTheConnectionWhereTheClientSaysSo) {
  RawClient client = server_.client();
  client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.read_answer().headers.at("connection"), "close");
  EXPECT_TRUE(client.at_end());
}

TEST_F(HttpRequest, OfHttp10NeedsNoHost) {
  RawClient client = server_.client();
  client.send("GET /hello HTTP/1.0\r\n\r\n");
  const RawAnswer answer = client.read_answer();
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.headers.at("connection"), "close");
  EXPECT_TRUE(client.at_end());
}

TEST_F(HttpRequest, ByHeadIsAnsweredWithoutTheBody) {
  RawClient client = server_.client();
  client.send("HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n" + get_request("/hello"));
  const RawAnswer answer = client.read_answer(true);
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(answer.headers.at("content-length"), "5");
  EXPECT_EQ(client.read_answer().body, "hello");
  EXPECT_EQ(ask_head_only("HEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 404U);
}

TEST_F(HttpRequest, IsAnsweredToAClientThatOnlyReads) {
  RawClient client = server_.client();
  client.send(get_request("/hello"));
  client.close_sending_half();
  EXPECT_EQ(client.read_answer().body, "hello");
  EXPECT_TRUE(client.at_end());
}

TEST_F(HttpRequest, IsInvitedToSendItsBody) {
  RawClient client = server_.client();
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ok");
  EXPECT_EQ(client.read_answer().body, "ok");
}

TEST_F(HttpRequest, IsNotInvitedWhenItWouldBeRefused) {
  EXPECT_EQ(
      ask("POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n")
          .status,
      413U);
}

TEST_F(HttpRequest, ToAnUnknownPathIs404) {
  const RawAnswer answer = ask(get_request("/nowhere"));
  EXPECT_EQ(answer.status, 404U);
  EXPECT_EQ(answer.headers.at("content-type"), "application/json");
  EXPECT_EQ(answer.body, "{\"error\":\"no such path\"}\n");
}

TEST_F(HttpRequest, OfAnotherMethodIs405) {
  EXPECT_EQ(ask(get_request("/echo")).headers.at("allow"), "POST");
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW", "get"}) {
    const RawAnswer answer = ask(std::string(method) + " /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(answer.status, 405U) << method;
    EXPECT_EQ(answer.headers.at("allow"), "GET, HEAD");
  }
}

TEST_F(HttpRequest, WithoutAProperHostIs400) {
  EXPECT_EQ(ask("GET /hello HTTP/1.1\r\n\r\n").status, 400U);
  EXPECT_EQ(ask("GET /hello HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n").status, 400U);
  EXPECT_EQ(ask("GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n").status, 400U);
}

TEST_F(HttpRequest, ToABadPathIs400) {
  for (const char* path : {"/../etc/passwd", "/hello/../hello", "/%2e%2e/x", "/hello%00", "/hello%0d%0a",
                           "//hello", "http://localhost/hello", "*", "hello", "/hello%", "/h%E9llo"}) {
    EXPECT_EQ(ask(get_request(path)).status, 400U) << path;
  }
}

TEST_F(HttpRequest, OfHostileBytesIs400) {
  using namespace std::string_view_literals;
  for (
      const std::string_view request :
      {"GET /hello\0 HTTP/1.1\r\nHost: localhost\r\n\r\n"sv,
       "GET /hel\rlo HTTP/1.1\r\nHost: localhost\r\n\r\n"sv,
       "GET /hello HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n"sv,
       "GET /hello HTTP/1.1\r\nHost: localhost\r\nX y: b\r\n\r\n"sv,
       "GET /hello HTTP/2.0\r\nHost: localhost\r\n\r\n"sv, "GET /hello\r\nHost: localhost\r\n\r\n"sv,
       "\r\n\r\n\r\n"sv, "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n"sv,
       "GET  /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"sv,
       "G\0T /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"sv,
       "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"sv,
       "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"sv,
       "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"sv,
       "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n"sv,
       "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n"sv,
       "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"sv}) {
    EXPECT_EQ(ask(request).status, 400U) << request;
  }
}

// Whatever is wrong with its framing, and whatever it is refused for: what comes next is no request.
TEST_F(HttpRequest, ThatIsRefusedIsTheLast) {
  const std::string get = "GET /hello HTTP/1.1\r\nHost: localhost\r\n";
  const std::string post = "POST /echo HTTP/1.1\r\nHost: localhost\r\n";
  for (const std::string& request :
       {get + "Transfer-Encoding: xchunked\r\n\r\n",
        post + "Transfer-Encoding: xchunked\r\n\r\n",
        post + "Transfer-Encoding: gzip, chunked\r\n\r\n",
        post + "Transfer-Encoding: chunked, chunked\r\n\r\n",
        post + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
        post + "Transfer-Encoding: \x0b"
               "chunked\r\n\r\n",
        post + "Transfer-Encoding : chunked\r\n\r\n",
        post + "Transfer-Encoding:\r\n chunked, x\r\n\r\n",
        std::string("POST /echo HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"),
        post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
        post + "Content-Length: 5, 5\r\n\r\n",
        post + "Content-Length: +5\r\n\r\n",
        post + "Content-Length: 0x5\r\n\r\n",
        post + "Content-Length: 5 5\r\n\r\n",
        post + "Content-Length: 18446744073709551616\r\n\r\n",
        post + "Content-Length: 2000\r\n\r\n",
        post + "Content-Length\r\n\r\n",
        post + "X: a\nContent-Length: 5\r\n\r\n",
        post + "X: a\rContent-Length: 5\r\n\r\n",
        post + "\nContent-Length: 5\r\n\r\n",
        get + "\n",
        get + "X: a\n\n",
        post + "Transfer-Encoding: chunked\r\n\r\n0\n\n",
        post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        post + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
        post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello0\r\n\r\n",
        post + "Transfer-Encoding: chunked\r\n\r\n10000000000000005\r\nhello\r\n0\r\n\r\n",
        post + "Transfer-Encoding: chunked\r\n\r\n7d1\r\n",
        get + "Content-Length: 5\r\n\r\n",
        std::string("GET /hello HTTP/1.1\r\n\r\n"),
        get + "Host: localhost\r\n\r\n",
        std::string("GET /hello HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        std::string("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("GET /../hello HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        std::string("DELETE /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")}) {
    RawClient client = server_.client();
    client.send(request + get_request("/hello") + get_request("/hello"));
    client.close_sending_half();
    const std::string answer = client.read_to_end();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.0 4")) << request << answer;
    EXPECT_NE(answer.find("Connection: close"), std::string::npos) << request;
    EXPECT_EQ(answer.find(" 200 OK"), std::string::npos) << request << answer;
  }
}

TEST_F(HttpRequest, CutShortIs400) {
  RawClient client = server_.client();
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  client.close_sending_half();
  EXPECT_EQ(client.read_answer().status, 400U);
  EXPECT_TRUE(client.at_end());
}

TEST(HttpHandler, GetsAllOfTheRequest) {
  Router router;
  router.post("/api/*", [](const Request& request, const Responder& responder) {
    EXPECT_EQ(request.target.path, "/api/题");
    EXPECT_THAT(request.target.query, testing::ElementsAre(testing::Pair("n", "7")));
    EXPECT_THAT(values_of(request.headers, "content-type"), testing::ElementsAre("application/json"));
    EXPECT_THAT(values_of(request.headers, "X"), testing::IsEmpty());
    EXPECT_EQ(request.peer.kind, Peer::Kind::unix_socket);
    EXPECT_EQ(request.peer.user, ::getuid());
    responder->send(json_response(201, request.body));
  });
  RunningServer server(std::move(router));
  RawClient client = server.client();
  client.send(
      "POST /api/%E9%A2%98?n=7 HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
      "application/json\r\nContent-Length: "
      "2\r\n\r\n{}");
  const RawAnswer answer = client.read_answer();
  EXPECT_EQ(answer.status, 201U);
  EXPECT_EQ(answer.body, "{}\n");
}

TEST(HttpHandler, ThatThrowsOrForgetsIsA500) {
  Router router;
  router.get("/throws", [](const Request& /*request*/, const Responder& /*responder*/) {
    throw std::runtime_error("secret");
  });
  router.get("/forgets", [](const Request& /*request*/, const Responder& /*responder*/) {});
  RunningServer server(std::move(router));
  RawClient client = server.client();
  for (const char* path : {"/throws", "/forgets", "/throws"}) {
    client.send(get_request(path));
    const RawAnswer answer = client.read_answer();
    EXPECT_EQ(answer.status, 500U);
    EXPECT_THAT(answer.body, testing::Not(HasSubstr("secret")));
  }
}

TEST(HttpHandler, AnswersOnceOnly) {
  Router router;
  router.get("/", [](const Request& /*request*/, const Responder& responder) {
    responder->send(text_response(200, "first"));
    responder->send(text_response(200, "second"));
    responder->begin_stream();
    responder->write("third");
  });
  RunningServer server(std::move(router));
  RawClient client = server.client();
  client.send(get_request("/") + get_request("/"));
  EXPECT_EQ(client.read_answer().body, "first");
  EXPECT_EQ(client.read_answer().body, "first");
}

TEST(HttpHandler, MayAnswerFromAnotherThreadLater) {
  std::promise<Responder> taken;
  Router router;
  router.get("/", [&taken](const Request& /*request*/, Responder responder) {
    taken.set_value(std::move(responder));
  });
  RunningServer server(std::move(router));
  RawClient client = server.client();
  client.send(get_request("/"));
  std::thread([responder = taken.get_future().get()] { responder->send(text_response(200, "late")); }).join();
  EXPECT_EQ(client.read_answer().body, "late");
}

TEST(HttpHandler, LearnsThatTheClientHasGone) {
  std::promise<void> called;
  std::promise<Responder> taken;
  Router router;
  router.get("/", [&](const Request& /*request*/, const Responder& responder) {
    responder->on_gone([&called] { called.set_value(); });
    taken.set_value(responder);
  });
  RunningServer server(std::move(router));
  RawClient client = server.client();
  client.send(get_request("/"));
  const Responder responder = taken.get_future().get();
  EXPECT_FALSE(responder->gone());
  client.close();
  called.get_future().wait();
  EXPECT_TRUE(responder->gone());
  bool at_once = false;
  responder->on_gone([&at_once] { at_once = true; });
  EXPECT_TRUE(at_once);
  responder->send({});
}

TEST(HttpHandler, LearnsThatTheServerStopped) {
  std::promise<void> called;
  std::promise<Responder> taken;
  Router router;
  router.get("/", [&](const Request& /*request*/, const Responder& responder) {
    responder->on_gone([&called] { called.set_value(); });
    taken.set_value(responder);
  });
  std::optional<RunningServer> server(std::in_place, std::move(router));
  RawClient client = server->client();
  client.send(get_request("/"));
  const Responder responder = taken.get_future().get();
  server->stop();
  called.get_future().wait();
  EXPECT_TRUE(client.at_end());
  server.reset();
  responder->send(text_response(200, "to nobody"));
  responder->begin_stream();
  responder->write("to nobody");
}

}  // namespace
}  // namespace qdedup::daemon
