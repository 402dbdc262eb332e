#include "daemon/http_message.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

std::string path_of(std::string_view target) {
  const auto parsed = RequestTarget::parse(target);
  return parsed ? parsed->path : "(refused)";
}

TEST(RequestTarget, DecodesThePath) {
  EXPECT_EQ(path_of("/"), "/");
  EXPECT_EQ(path_of("/api/status"), "/api/status");
  EXPECT_EQ(path_of("/review/"), "/review/");
  EXPECT_EQ(path_of("/%61pi?x"), "/api");
  EXPECT_EQ(path_of("/%E9%A2%98"), "/题");
  EXPECT_EQ(path_of("/a+b"), "/a+b");
  EXPECT_EQ(path_of("/..a/.b"), "/..a/.b");
}

TEST(RequestTarget, RefusesWhatCouldMeanSomethingElse) {
  for (const char* target : {"",
                             "*",
                             "api",
                             "http://localhost/",
                             "//",
                             "//a",
                             "/a//b",
                             "/..",
                             "/a/../b",
                             "/%2e%2e/b",
                             "/.%2E",
                             "/a/.",
                             "/./a",
                             "/a%2Fb",
                             "/a%5cb",
                             "/a\\b",
                             "/%00",
                             "/a%0d%0ab",
                             "/a%7F",
                             "/%",
                             "/%4",
                             "/%zz",
                             "/%C0%AF",
                             "/%ff",
                             "/a b",
                             "/a\tb",
                             "/\xE9\xA2\x98",
                             "/a#b",
                             "/?a=%00",
                             "/?a=%ff",
                             "/?%"}) {
    EXPECT_EQ(path_of(target), "(refused)") << target;
  }
  EXPECT_EQ(path_of(std::string_view("/a\0b", 4)), "(refused)");
}

TEST(RequestTarget, DecodesTheQuery) {
  const auto target = RequestTarget::parse("/a?x=1&y=a+b%26c&&x=2&flag&%E9%A2%98=%3D&e=");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->query, ElementsAre(Pair("x", "1"), Pair("y", "a b&c"), Pair("x", "2"), Pair("flag", ""),
                                         Pair("题", "="), Pair("e", "")));
  EXPECT_THAT(RequestTarget::parse("/a?")->query, IsEmpty());
  EXPECT_THAT(RequestTarget::parse("/a?a=b=c?/..")->query, ElementsAre(Pair("a", "b=c?/..")));
}

TEST(ResponseText, HasTheLengthOfTheBody) {
  EXPECT_EQ(head_text(text_response(200, "hello"), {}),
            "HTTP/1.1 200 OK\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Length: 5\r\n"
            "Connection: keep-alive\r\n"
            "Cache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "\r\n");
}

TEST(ResponseText, SaysHowTheBodyIsFramed) {
  EXPECT_THAT(head_text({}, {.streamed = true}), HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_THAT(head_text({}, {.streamed = true}), Not(HasSubstr("Content-Length")));
  EXPECT_THAT(head_text({}, {.http_1_1 = false, .streamed = true}), Not(HasSubstr("Transfer-Encoding")));
  EXPECT_THAT(head_text({}, {.http_1_1 = false}), StartsWith("HTTP/1.0 200 OK\r\n"));
  EXPECT_THAT(head_text({}, {.keep_alive = false}), HasSubstr("Connection: close\r\n"));
}

TEST(ResponseText, HasNoBodyWhereTheStatusAllowsNone) {
  EXPECT_THAT(head_text({.status = 304}, {}), Not(HasSubstr("\r\nContent-")));
  EXPECT_FALSE(has_body(204));
  EXPECT_TRUE(has_body(404));
}

TEST(ResponseText, LetsAHandlerReplaceDefaults) {
  const Response response{.headers = {{"cache-control", "max-age=60"}, {"ETag", "\"1\""}}};
  EXPECT_THAT(head_text(response, {}), Not(HasSubstr("no-store")));
  EXPECT_THAT(head_text(response, {}), EndsWith("cache-control: max-age=60\r\nETag: \"1\"\r\n\r\n"));
}

TEST(ResponseText, LetsNoValueBecomeAHeader) {
  const Response response{.headers = {{"Location", "/a\r\nSet-Cookie: b"}}};
  EXPECT_THAT(head_text(response, {}), HasSubstr("Location: /a  Set-Cookie: b\r\n"));
}

TEST(ResponseText, MakesChunks) {
  EXPECT_EQ(chunk_text("a\n"), "2\r\na\n\r\n");
  EXPECT_THAT(chunk_text(std::string(65536, 'a')), StartsWith("10000\r\na"));
}

TEST(ErrorResponse, IsJsonWhateverTheMessage) {
  EXPECT_EQ(error_response(404, "no \"x\"\xFF").body, "{\"error\":\"no \\\"x\\\"\uFFFD\"}\n");
}

}  // namespace
}  // namespace qdedup::daemon
