#include "daemon/responder.h"

#include <memory>
#include <new>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

constexpr std::size_t capacity = 20;
constexpr std::size_t everything = 1000;

class PendingResponseTest : public testing::Test {
 protected:
  int woken_ = 0;
  PendingResponse pending_{[this] { ++woken_; }, capacity};
};

TEST_F(PendingResponseTest, CarriesAnAnswer) {
  pending_.send(text_response(200, "hello"));
  EXPECT_EQ(woken_, 1);
  const PendingResponse::Output output = pending_.take(everything);
  EXPECT_EQ(output.response->body, "hello");
  EXPECT_TRUE(output.finished);
  EXPECT_FALSE(output.streamed);
}

TEST_F(PendingResponseTest, CarriesLinesInPieces) {
  pending_.begin_stream("text/plain");
  EXPECT_TRUE(pending_.write("one"));
  EXPECT_TRUE(pending_.write("two"));
  pending_.finish();
  PendingResponse::Output output = pending_.take(5);
  EXPECT_EQ(output.response->content_type, "text/plain");
  EXPECT_TRUE(output.streamed);
  EXPECT_EQ(output.lines, "one\nt");
  EXPECT_FALSE(output.finished);
  output = pending_.take(5);
  EXPECT_FALSE(output.response);
  EXPECT_EQ(output.lines, "wo\n");
  EXPECT_TRUE(output.finished);
}

TEST_F(PendingResponseTest, WakesOnceForAllThatIsTakenAtOnce) {
  pending_.begin_stream("text/plain");
  pending_.write("one");
  pending_.write("two");
  EXPECT_EQ(woken_, 1);
  pending_.take(everything);
  pending_.write("three");
  EXPECT_EQ(woken_, 2);
}

TEST_F(PendingResponseTest, DropsOffersBeforeItIsFull) {
  pending_.begin_stream("text/plain");
  pending_.offer("123456789");
  pending_.offer("dropped");
  EXPECT_TRUE(pending_.write("kept"));
  EXPECT_EQ(pending_.take(everything).lines, "123456789\nkept\n");
}

TEST_F(PendingResponseTest, TakesOneLineOfAnyLength) {
  pending_.begin_stream("text/plain");
  const std::string line(3 * capacity, 'a');
  EXPECT_TRUE(pending_.write(line));
  EXPECT_EQ(pending_.take(everything).lines, line + "\n");
}

TEST_F(PendingResponseTest, GivesUpASlowClientOnTheServersThread) {
  pending_.begin_stream("text/plain");
  EXPECT_TRUE(pending_.write("1234567890123456789"));
  EXPECT_FALSE(pending_.write("too much"));
  const PendingResponse::Output output = pending_.take(everything);
  EXPECT_TRUE(output.broken);
  EXPECT_FALSE(output.finished);
}

TEST_F(PendingResponseTest, WaitsForASlowClientOnOtherThreads) {
  pending_.begin_stream("text/plain");
  EXPECT_TRUE(pending_.write("1234567890123456789"));
  std::thread writer([this] { EXPECT_TRUE(pending_.write("waits")); });
  std::string lines;
  while (!lines.ends_with("waits\n")) lines += pending_.take(everything).lines;
  writer.join();
  EXPECT_EQ(lines, "1234567890123456789\nwaits\n");
}

// So that a client that reads slowly never keeps the writer waiting for longer than one piece takes.
TEST_F(PendingResponseTest, HasRoomAgainAsSoonAsSomethingWasTaken) {
  pending_.begin_stream("text/plain");
  EXPECT_TRUE(pending_.write("1234567890123456789"));
  std::string lines = pending_.take(5).lines;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(pending_.write("abcd"));
    lines += pending_.take(5).lines;
  }
  lines += pending_.take(everything).lines;
  std::string expected = "1234567890123456789\n";
  for (int i = 0; i < 100; ++i) expected += "abcd\n";
  EXPECT_EQ(lines, expected);
}

TEST_F(PendingResponseTest, LetsNobodyWaitForAClientThatHasGone) {
  pending_.begin_stream("text/plain");
  EXPECT_TRUE(pending_.write("1234567890123456789"));
  std::thread writer([this] { EXPECT_FALSE(pending_.write("in vain")); });
  pending_.leave();
  writer.join();
  EXPECT_TRUE(pending_.gone());
}

TEST_F(PendingResponseTest, WakesNobodyWhenTheConnectionHasLeft) {
  pending_.leave();
  pending_.send(text_response(200, "to nobody"));
  pending_.abandon();
  EXPECT_EQ(woken_, 0);
}

TEST_F(PendingResponseTest, CallsBackOnceWhenTheClientGoes) {
  int called = 0;
  pending_.on_gone([&called] { ++called; });
  pending_.leave();
  pending_.leave();
  EXPECT_EQ(called, 1);
}

TEST_F(PendingResponseTest, CallsNobodyBackWhenTheAnswerWasSent) {
  auto watched = std::make_shared<int>(0);
  pending_.on_gone([watched] { ++*watched; });
  pending_.send({});
  pending_.complete();
  pending_.leave();
  pending_.on_gone([watched] { ++*watched; });
  EXPECT_EQ(*watched, 0);
  EXPECT_EQ(watched.use_count(), 1);
  EXPECT_FALSE(pending_.gone());
}

TEST_F(PendingResponseTest, AnswersForAResponderThatForgot) {
  pending_.abandon();
  EXPECT_EQ(pending_.take(everything).response->status, 500U);
}

TEST_F(PendingResponseTest, IsSentAfterAllWhereTheFirstWakingFails) {
  int tries = 0;
  PendingResponse pending(
      [&tries] {
        if (++tries == 1) throw std::bad_alloc();
      },
      capacity);
  EXPECT_THROW(pending.send(text_response(200, "hello")), std::bad_alloc);
  pending.abandon();
  EXPECT_EQ(tries, 2);
  EXPECT_EQ(pending.take(everything).response->body, "hello");
}

TEST_F(PendingResponseTest, BreaksAStreamThatWasForgotten) {
  pending_.begin_stream("text/plain");
  pending_.write("one");
  pending_.abandon();
  EXPECT_FALSE(pending_.take(2).broken);
  const PendingResponse::Output output = pending_.take(2);
  EXPECT_TRUE(output.broken);
  EXPECT_EQ(output.lines, "e\n");
}

}  // namespace
}  // namespace qdedup::daemon
