// Answers that come line by line.
#include <future>
#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

// A server whose GET /stream hands the stream to the test, and one client that asked for it.
class HttpStream : public testing::Test {
 protected:
  void begin() {
    Router router = sample_router();
    router.get("/stream", [this](const Request& /*request*/, const Responder& responder) {
      responder->on_gone([this] { gone_.set_value(); });
      responder->begin_stream();
      taken_.set_value(responder);
    });
    server_.emplace(std::move(router));
    client_.emplace(server_->client());
    client_->send(get_request("/stream"));
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
    stream_->write(line);
    EXPECT_THAT(client_->read_until("\n\r\n"), testing::EndsWith(std::string("\r\n") + line + "\n\r\n"));
  }
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
  stream_->write("to nobody");
  stream_->offer("to nobody");
}

TEST_F(HttpStream, GoesOnForAClientThatOnlyReads) {
  begin();
  client_->close_sending_half();
  stream_->write("line");
  stream_.reset();
  EXPECT_EQ(client_->read_answer().body, "line\n");
}

}  // namespace
}  // namespace qdedup::daemon
