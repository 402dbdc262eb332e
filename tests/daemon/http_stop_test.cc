// A server that stops: nobody is left without an answer.
#include <future>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

// A server whose POST /wait hands its responder to the test, and one client that asked for it.
class HttpStop : public testing::Test {
 protected:
  HttpStop() {
    Router router = sample_router();
    router.post("/wait", [this](const Request& /*request*/, const Responder& responder) {
      taken_.set_value(responder);
    });
    router.post("/last",
                [](const Request& /*request*/, const Responder& responder) {
                  responder->send(text_response(200, "noted"));
                },
                {.is_last = true});
    server_.emplace(std::move(router));
    client_.emplace(server_->client());
  }

  void begin_stop() {
    server_->on_thread([](HttpServer& server) { server.begin_stop(); });
  }

  bool is_busy() {
    bool is = false;
    server_->on_thread([&](const HttpServer& server) { is = server.is_busy(); });
    return is;
  }

  static void expect_refused(RawClient& client) {
    const RawAnswer answer = client.read_answer();
    EXPECT_EQ(answer.status, 503U);
    EXPECT_EQ(answer.headers.at("retry-after"), "5");
    EXPECT_EQ(answer.headers.at("connection"), "close");
    EXPECT_TRUE(client.at_end());
  }

  std::promise<Responder> taken_;
  std::optional<RunningServer> server_;
  std::optional<RawClient> client_;
};

TEST_F(HttpStop, RefusesWhatComesThen) {
  client_->send(get_request("/hello"));
  EXPECT_EQ(client_->read_answer().status, 200U);
  begin_stop();
  client_->send(get_request("/hello"));
  expect_refused(*client_);
  RawClient another = server_->client();
  another.send(post_request("/echo", "body"));
  expect_refused(another);
}

TEST_F(HttpStop, LetsFinishWhatIsToEnd) {
  begin_stop();
  client_->send(post_request("/last", "{}"));
  EXPECT_EQ(client_->read_answer().status, 200U);
  EXPECT_TRUE(client_->at_end());
}

TEST_F(HttpStop, RefusesWhatIsHalfThere) {
  RawClient in_head = server_->client();
  in_head.send("GET /hello HTTP/1.1\r\nHost:");
  client_->send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbo");
  while (server_->connections() < 2 || !is_busy()) {
  }
  begin_stop();
  expect_refused(*client_);
  in_head.send(" localhost\r\n\r\n");
  expect_refused(in_head);
}

TEST_F(HttpStop, AnswersWhatIsUnderWay) {
  client_->send(post_request("/wait", "body"));
  const Responder responder = taken_.get_future().get();
  begin_stop();
  EXPECT_TRUE(is_busy());
  responder->send(text_response(200, "done"));
  const RawAnswer answer = client_->read_answer();
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(answer.body, "done");
  EXPECT_EQ(answer.headers.at("connection"), "close");
  EXPECT_TRUE(client_->at_end());
  EXPECT_FALSE(is_busy());
}

TEST_F(HttpStop, RefusesWhatNobodyDoesAnyMore) {
  client_->send(post_request("/wait", "body"));
  Responder responder = taken_.get_future().get();
  begin_stop();
  responder.reset();
  expect_refused(*client_);
}

}  // namespace
}  // namespace qdedup::daemon
