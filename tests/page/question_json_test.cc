#include "page/question_json.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::page {
namespace {

using ::testing::ElementsAre;

std::string why_not(std::string_view body) {
  const auto request = parse_check_request(body);
  return request.ok() ? "" : request.error().message;
}

// `many` elements of a list.
std::string list(std::string_view element, std::size_t many) {
  std::string text = "[";
  for (std::size_t i = 0; i < many; ++i) text.append(i == 0 ? "" : ",").append(element);
  return text + "]";
}

TEST(CheckRequest, IsOneQuestionOrMany) {
  const auto one = parse_check_request(R"({"id":7,"text":"t","answer":2.5,"add":true})");
  ASSERT_TRUE(one.ok());
  EXPECT_TRUE(one->add);
  ASSERT_EQ(one->questions.size(), 1U);
  EXPECT_EQ(one->questions[0].id, 7);
  EXPECT_EQ(one->questions[0].answer, "2.5");

  const auto many = parse_check_request(R"({"questions":[{"text":"a","id":null},{"id":2,"text":"b"}]})");
  ASSERT_TRUE(many.ok());
  EXPECT_FALSE(many->add);
  ASSERT_EQ(many->questions.size(), 2U);
  EXPECT_FALSE(many->questions[0].id);
  EXPECT_EQ(many->questions[1].text, "b");
}

TEST(CheckRequest, HasWhatAQuestionFileHas) {
  const auto one =
      parse_check_request(R"({"text":"t","images":["a",null,7],"arrived_at":"1970-01-02T00:00:00Z"})");
  ASSERT_TRUE(one.ok());
  EXPECT_THAT(one->questions[0].images, ElementsAre("a", "", "7"));
  EXPECT_EQ(one->questions[0].arrived_at, 86'400);

  const auto many = parse_check_request(
      R"({"questions":[{"text":"a","images":"h1;h2","arrived_at":86400},{"text":"b","images":[["x"]]}]})");
  ASSERT_TRUE(many.ok());
  EXPECT_THAT(many->questions[0].images, ElementsAre("h1", "h2"));
  EXPECT_EQ(many->questions[0].arrived_at, 86'400);
  EXPECT_THAT(many->questions[1].images, ElementsAre());
  EXPECT_FALSE(many->questions[1].arrived_at);

  const auto members = parse_check_request(
      R"({"text":"t","images":{"b":"h1","a":7.50,"b":null,"c":["x"],"d":"h2"},"answer":1.20})");
  ASSERT_TRUE(members.ok());
  EXPECT_THAT(members->questions[0].images, ElementsAre("h1", "7.50", ""));
  EXPECT_EQ(members->questions[0].answer, "1.20");

  EXPECT_EQ(why_not(R"({"text":"t","images":)" + list("\"h\"", 1000) + "}"), "");
  EXPECT_EQ(why_not(R"({"text":"t","images":)" + list("\"h\"", 2000) + "}"), "too many images");
  EXPECT_EQ(why_not(R"({"text":"t","images":["a\nb"]})"), "images contain a line feed");
  EXPECT_NE(why_not(R"({"text":"t","arrived_at":"yesterday"})"), "");
}

TEST(CheckRequest, MayHaveOtherMembers) {
  const auto request = parse_check_request(
      R"({"x":[{"text":"no"}],"questions":[{"x":{"text":"no","id":9},"text":"a","y":[1]}],"z":{"add":true}})");
  ASSERT_TRUE(request.ok());
  EXPECT_FALSE(request->add);
  ASSERT_EQ(request->questions.size(), 1U);
  EXPECT_EQ(request->questions[0].text, "a");
  EXPECT_FALSE(request->questions[0].id);
}

TEST(CheckRequest, IsRefusedWithTheReason) {
  EXPECT_EQ(why_not("[]"), "the body is no JSON object");
  EXPECT_EQ(why_not(R"({"text":"t"} x)"), "the body is no JSON object");
  EXPECT_EQ(why_not(R"({"text":"t","x":[[[[[[[[]]]]]]]]})"), "the body is no JSON object");
  EXPECT_EQ(why_not(R"({"text":"t","x":[[[[[[[]]]]]]]})"), "");
  EXPECT_EQ(why_not(R"({"questions":{}})"), "questions is an array");
  EXPECT_EQ(why_not(R"({"questions":[[]]})"), "a question is a JSON object");
  EXPECT_EQ(why_not(R"({"questions":[0]})"), "a question is a JSON object");
  EXPECT_EQ(why_not(R"({"text":"t","add":{}})"), "add is true or false");
  EXPECT_EQ(why_not(R"({"text":["t"]})"), why_not("{}"));
  EXPECT_NE(why_not(R"({"text":"t","id":[1]})"), "");
  EXPECT_NE(why_not(R"({"text":"t","answer":{}})"), "");
}

TEST(CheckRequest, IsNotReadBeyondTheFirstThousandQuestions) {
  EXPECT_EQ(why_not(R"({"questions":)" + list(R"({"text":"t"})", 1000) + "}"), "");
  for (const char* element : {R"({"text":"t"})", "0", "[]"}) {
    EXPECT_EQ(why_not(R"({"questions":)" + list(element, 1001) + ", which is no JSON"),
              "more than 1,000 questions at once");
  }
}

// It takes an hour if the time is quadratic.
TEST(LargeCheckRequest, IsReadAtOnce) {
  const std::string many = list("{}", (std::size_t{4} << 20U) / 3);
  EXPECT_EQ(why_not(R"({"text":"t","x":)" + many + "}"), "");
  EXPECT_NE(why_not(R"({"text":)" + many + "}"), "");
  EXPECT_NE(why_not(R"({"questions":[{}],"x":)" + many + "}"), "");
}

}  // namespace
}  // namespace qdedup::page
