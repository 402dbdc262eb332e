#include "daemon/responder.h"

#include <memory>
#include <new>
#include <string>

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

constexpr std::size_t capacity = 10;
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

TEST_F(PendingResponseTest, WakesOnceForAllThatIsTakenAtOnce) {
  pending_.begin_stream();
  pending_.write("one");
  pending_.write("two");
  EXPECT_EQ(woken_, 1);
  pending_.take(everything);
  pending_.write("three");
  EXPECT_EQ(woken_, 2);
}

TEST_F(PendingResponseTest, DropsOffersBeforeItIsFull) {
  pending_.begin_stream();
  pending_.offer("123456789");
  pending_.offer("dropped");
  pending_.write("kept");
  EXPECT_EQ(pending_.take(everything).lines, "123456789\nkept\n");
}

TEST_F(PendingResponseTest, TakesOneLineOfAnyLength) {
  pending_.begin_stream();
  const std::string line(3 * capacity, 'a');
  pending_.write(line);
  EXPECT_EQ(pending_.take(everything).lines, line + "\n");
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

TEST_F(PendingResponseTest, SaysThatAResponderForgot) {
  pending_.abandon();
  const PendingResponse::Output output = pending_.take(everything);
  EXPECT_TRUE(output.unanswered);
  EXPECT_TRUE(output.finished);
  EXPECT_FALSE(pending_.take(everything).unanswered);
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
  pending_.begin_stream();
  pending_.write("one");
  pending_.abandon();
  EXPECT_FALSE(pending_.take(2).broken);
  const PendingResponse::Output output = pending_.take(2);
  EXPECT_TRUE(output.broken);
  EXPECT_EQ(output.lines, "e\n");
}

}  // namespace
}  // namespace qdedup::daemon
