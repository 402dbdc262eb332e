// Answers that come line by line.
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

using namespace std::chrono_literals;

// A server whose GET /stream hands the stream to the test, and one client that asked for it.
class HttpStream : public testing::Test {
 protected:
  void begin(const HttpLimits& limits = {}, std::string_view version = "1.1",
             std::string_view method = "GET") {
    Router router = sample_router();
    router.get("/stream", [this](const Request& /*request*/, const Responder& responder) {
      responder->on_gone([this] { gone_.set_value(); });
      responder->begin_stream("text/plain");
      taken_.set_value(responder);
    });
    server_.emplace(std::move(router), limits);
    client_.emplace(server_->client());
    client_->send(std::string(method) + " /stream HTTP/" + std::string(version) +
                  "\r\nHost: localhost\r\n\r\n");
    stream_ = taken_.get_future().get();
  }

  std::promise<Responder> taken_;
  std::promise<void> gone_;
  std::optional<RunningServer> server_;
  std::optional<RawClient> client_;
  Responder stream_;
};

TEST_F(HttpStream, SendsEachLineWhenItIsThere) {
  begin();
  EXPECT_EQ(client_->read_until("\r\n\r\n").substr(0, 15), "HTTP/1.1 200 OK");
  for (const char* line : {"one", "two", "three"}) {
    EXPECT_TRUE(stream_->write(line));
    EXPECT_THAT(client_->read_until("\n\r\n"), testing::EndsWith(std::string("\r\n") + line + "\n\r\n"));
  }
  stream_->finish();
  EXPECT_EQ(client_->read_until("0\r\n\r\n"), "0\r\n\r\n");
}

TEST_F(HttpStream, LeavesTheConnectionForTheNextRequest) {
  begin();
  stream_->write("line");
  stream_->finish();
  const RawAnswer answer = client_->read_answer();
  EXPECT_EQ(answer.body, "line\n");
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain");
  client_->send(get_request("/hello"));
  EXPECT_EQ(client_->read_answer().body, "hello");
  EXPECT_FALSE(stream_->gone());
}

TEST_F(HttpStream, OfNoLinesIsComplete) {
  begin();
  stream_->finish();
  const RawAnswer answer = client_->read_answer();
  EXPECT_EQ(answer.body, "");
  EXPECT_TRUE(answer.complete);
}

TEST_F(HttpStream, EndsWithTheConnectionInHttp10) {
  begin({}, "1.0");
  stream_->write("line");
  stream_->finish();
  const RawAnswer answer = client_->read_answer();
  EXPECT_EQ(answer.body, "line\n");
  EXPECT_FALSE(answer.headers.contains("transfer-encoding"));
}

TEST_F(HttpStream, HasNoBodyForHead) {
  begin({}, "1.1", "HEAD");
  stream_->write("line");
  stream_->finish();
  EXPECT_EQ(client_->read_answer(true).status, 200U);
  client_->send(get_request("/hello"));
  EXPECT_EQ(client_->read_answer().body, "hello");
}

TEST_F(HttpStream, ThatIsForgottenIsCutOff) {
  begin();
  stream_->write("line");
  stream_.reset();
  const RawAnswer answer = client_->read_answer();
  EXPECT_EQ(answer.body, "line\n");
  EXPECT_FALSE(answer.complete);
}

TEST_F(HttpStream, EndsWithAClientThatGoes) {
  begin();
  client_->close();
  gone_.get_future().wait();
  EXPECT_TRUE(stream_->gone());
  EXPECT_FALSE(stream_->write("to nobody"));
  stream_->offer("to nobody");
  stream_->finish();
}

TEST_F(HttpStream, GoesOnForAClientThatOnlyReads) {
  begin();
  client_->close_sending_half();
  EXPECT_TRUE(stream_->write("line"));
  stream_->finish();
  EXPECT_EQ(client_->read_answer().body, "line\n");
}

TEST_F(HttpStream, GivesASlowReaderEverythingButOffers) {
  HttpLimits limits;
  limits.stream_bytes = 10'000;
  begin(limits);
  constexpr int lines = 20'000;
  std::thread writer([this] {
    for (int i = 0; i < lines; ++i) {
      stream_->offer("progress");
      EXPECT_TRUE(stream_->write("line " + std::to_string(i) + std::string(100, '.')));
    }
    stream_->finish();
  });
  const RawAnswer answer = client_->read_answer();
  writer.join();
  EXPECT_TRUE(answer.complete);
  std::size_t at = 0;
  for (int i = 0; i < lines; ++i) {
    at = answer.body.find("line " + std::to_string(i) + ".", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

TEST_F(HttpStream, GivesUpAReaderThatReadsNothing) {
  HttpLimits limits;
  limits.stream_bytes = 10'000;
  limits.write = 20ms;
  begin(limits);
  std::thread writer([this] {
    while (stream_->write(std::string(1000, 'x'))) continue;
  });
  gone_.get_future().wait();
  writer.join();
  EXPECT_FALSE(client_->read_answer().complete);
}

TEST_F(HttpStream, LetsAWaitingWriterGoWhenTheServerStops) {
  HttpLimits limits;
  limits.stream_bytes = 10'000;
  begin(limits);
  std::promise<void> begun;
  std::thread writer([&] {
    EXPECT_TRUE(stream_->write("first"));
    begun.set_value();
    while (stream_->write(std::string(1000, 'x'))) continue;
  });
  begun.get_future().wait();
  server_->stop();
  writer.join();
  server_.reset();
  EXPECT_TRUE(stream_->gone());
}

}  // namespace
}  // namespace qdedup::daemon
