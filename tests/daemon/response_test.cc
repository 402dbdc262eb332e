#include "daemon/response.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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
