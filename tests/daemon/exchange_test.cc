#include "daemon/exchange.h"

#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

constexpr std::size_t capacity = 20;
constexpr std::size_t everything = 1000;

class ExchangeTest : public testing::Test {
 protected:
  int woken_ = 0;
  Exchange exchange_{[this] { ++woken_; }, capacity};
};

TEST_F(ExchangeTest, CarriesAnAnswer) {
  exchange_.send(text_response(200, "hello"));
  EXPECT_EQ(woken_, 1);
  const Exchange::News news = exchange_.take(everything);
  EXPECT_EQ(news.response->body, "hello");
  EXPECT_TRUE(news.finished);
  EXPECT_FALSE(news.streamed);
}

TEST_F(ExchangeTest, CarriesLinesInPieces) {
  exchange_.begin_stream("text/plain");
  EXPECT_TRUE(exchange_.write("one"));
  EXPECT_TRUE(exchange_.write("two"));
  exchange_.finish();
  Exchange::News news = exchange_.take(5);
  EXPECT_EQ(news.response->content_type, "text/plain");
  EXPECT_TRUE(news.streamed);
  EXPECT_EQ(news.lines, "one\nt");
  EXPECT_FALSE(news.finished);
  news = exchange_.take(5);
  EXPECT_FALSE(news.response);
  EXPECT_EQ(news.lines, "wo\n");
  EXPECT_TRUE(news.finished);
}

TEST_F(ExchangeTest, WakesOnceForAllThatIsTakenAtOnce) {
  exchange_.begin_stream("text/plain");
  exchange_.write("one");
  exchange_.write("two");
  EXPECT_EQ(woken_, 1);
  exchange_.take(everything);
  exchange_.write("three");
  EXPECT_EQ(woken_, 2);
}

TEST_F(ExchangeTest, DropsOffersBeforeItIsFull) {
  exchange_.begin_stream("text/plain");
  exchange_.offer("123456789");
  exchange_.offer("dropped");
  EXPECT_TRUE(exchange_.write("kept"));
  EXPECT_EQ(exchange_.take(everything).lines, "123456789\nkept\n");
}

TEST_F(ExchangeTest, TakesOneLineOfAnyLength) {
  exchange_.begin_stream("text/plain");
  const std::string line(3 * capacity, 'a');
  EXPECT_TRUE(exchange_.write(line));
  EXPECT_EQ(exchange_.take(everything).lines, line + "\n");
}

TEST_F(ExchangeTest, GivesUpASlowClientOnTheServersThread) {
  exchange_.begin_stream("text/plain");
  EXPECT_TRUE(exchange_.write("1234567890123456789"));
  EXPECT_FALSE(exchange_.write("too much"));
  const Exchange::News news = exchange_.take(everything);
  EXPECT_TRUE(news.broken);
  EXPECT_FALSE(news.finished);
}

TEST_F(ExchangeTest, WaitsForASlowClientOnOtherThreads) {
  exchange_.begin_stream("text/plain");
  EXPECT_TRUE(exchange_.write("1234567890123456789"));
  std::thread writer([this] { EXPECT_TRUE(exchange_.write("waits")); });
  std::string lines;
  while (!lines.ends_with("waits\n")) lines += exchange_.take(everything).lines;
  writer.join();
  EXPECT_EQ(lines, "1234567890123456789\nwaits\n");
}

// So that a client that reads slowly never keeps the writer waiting for longer than one piece takes.
TEST_F(ExchangeTest, HasRoomAgainAsSoonAsSomethingWasTaken) {
  exchange_.begin_stream("text/plain");
  EXPECT_TRUE(exchange_.write("1234567890123456789"));
  std::string lines = exchange_.take(5).lines;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(exchange_.write("abcd"));
    lines += exchange_.take(5).lines;
  }
  lines += exchange_.take(everything).lines;
  std::string expected = "1234567890123456789\n";
  for (int i = 0; i < 100; ++i) expected += "abcd\n";
  EXPECT_EQ(lines, expected);
}

TEST_F(ExchangeTest, LetsNobodyWaitForAClientThatHasGone) {
  exchange_.begin_stream("text/plain");
  EXPECT_TRUE(exchange_.write("1234567890123456789"));
  std::thread writer([this] { EXPECT_FALSE(exchange_.write("in vain")); });
  exchange_.leave();
  writer.join();
  EXPECT_TRUE(exchange_.gone());
}

TEST_F(ExchangeTest, WakesNobodyWhenTheConnectionHasLeft) {
  exchange_.leave();
  exchange_.send(text_response(200, "to nobody"));
  exchange_.abandon();
  EXPECT_EQ(woken_, 0);
}

TEST_F(ExchangeTest, CallsBackOnceWhenTheClientGoes) {
  int called = 0;
  exchange_.on_gone([&called] { ++called; });
  exchange_.leave();
  exchange_.leave();
  EXPECT_EQ(called, 1);
}

TEST_F(ExchangeTest, CallsNobodyBackWhenTheAnswerWasSent) {
  auto watched = std::make_shared<int>(0);
  exchange_.on_gone([watched] { ++*watched; });
  exchange_.send({});
  exchange_.complete();
  exchange_.leave();
  exchange_.on_gone([watched] { ++*watched; });
  EXPECT_EQ(*watched, 0);
  EXPECT_EQ(watched.use_count(), 1);
  EXPECT_FALSE(exchange_.gone());
}

TEST_F(ExchangeTest, AnswersForAResponderThatForgot) {
  exchange_.abandon();
  EXPECT_EQ(exchange_.take(everything).response->status, 500U);
}

TEST_F(ExchangeTest, BreaksAStreamThatWasForgotten) {
  exchange_.begin_stream("text/plain");
  exchange_.write("one");
  exchange_.abandon();
  EXPECT_FALSE(exchange_.take(2).broken);
  const Exchange::News news = exchange_.take(2);
  EXPECT_TRUE(news.broken);
  EXPECT_EQ(news.lines, "e\n");
}

}  // namespace
}  // namespace qdedup::daemon
