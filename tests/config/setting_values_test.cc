#include "config/setting_values.h"

#include <gtest/gtest.h>

namespace qdedup::config {
namespace {

TEST(Duration, IsANumberAndAUnit) {
  EXPECT_EQ(parse_duration("0s"), std::chrono::seconds(0));
  EXPECT_EQ(parse_duration("90s"), std::chrono::seconds(90));
  EXPECT_EQ(parse_duration("10min"), std::chrono::minutes(10));
  EXPECT_EQ(parse_duration("1h"), std::chrono::hours(1));
  EXPECT_EQ(parse_duration("7d"), std::chrono::hours(168));
}

TEST(Duration, IsNothingElse) {
  for (const char* text :
       {"", "h", "1", "1 h", "-1s", "+1s", "1.5h", "8d", "169h", "1hour", "9999999999999999999s"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Duration, IsWrittenInTheLargestUnitThatFits) {
  for (const char* text : {"0s", "90s", "1min", "59min", "1h", "25h", "1d", "7d"}) {
    EXPECT_EQ(to_string(*parse_duration(text)), text);
  }
  EXPECT_EQ(to_string(std::chrono::seconds(7200)), "2h");
}

TEST(ImageUrl, HasAnOrigin) {
  EXPECT_EQ(*origin_of_image_url("https://files.example/{name}"), "https://files.example");
  EXPECT_EQ(*origin_of_image_url("http://127.0.0.1:8080/q/{name}.png"), "http://127.0.0.1:8080");
  EXPECT_EQ(*origin_of_image_url("https://[::1]:443/a%20b/{name}/large"), "https://[::1]:443");
}

TEST(ImageUrl, IsNothingElse) {
  for (const char* text : {"",
                           "{name}",
                           "/{name}",
                           "//files.example/{name}",
                           "files.example/{name}",
                           "ftp://files.example/{name}",
                           "javascript:alert(1)/{name}",
                           "data:image/png,{name}",
                           "HTTPS://files.example/{name}",
                           "https://files.example/",
                           "https://files.example",
                           "https://files.example/{name}/{name}",
                           "https://{name}.example/",
                           "https://{name}/",
                           "https://files.example/{Name}",
                           "https://files.example/{{name}}",
                           "https://user@files.example/{name}",
                           "https://user:word@files.example/{name}",
                           "https://files.example/{name}?size=1",
                           "https://files.example/?name={name}",
                           "https://files.example/#{name}",
                           "https://files.example/{name}#x",
                           "https://files.example/a b/{name}",
                           " https://files.example/{name}",
                           "https://files.example/{name} ",
                           "https://files.example/{name}\n",
                           "https:///{name}",
                           "https://*.example/{name}",
                           "https://*/{name}",
                           "https://files.example:/{name}",
                           "https://files.example:0/{name}",
                           "https://files.example:65536/{name}",
                           "https://files.example:x/{name}",
                           "https://a;script-src/{name}",
                           "https://a'b/{name}",
                           "https://a,b/{name}",
                           "https://\\a/{name}",
                           "https://files.example/\"{name}",
                           "https://files.example/<{name}",
                           "https://[::1/{name}",
                           "https://[]/{name}",
                           "https://[::1]a/{name}",
                           "https://题.example/{name}",
                           "https://files.example/题/{name}"}) {
    EXPECT_FALSE(origin_of_image_url(text).ok()) << text;
  }
}

TEST(PublicUrl, IsAnOriginOfHttps) {
  for (const char* text :
       {"https://dedup.school.example", "https://dedup:8443", "https://[2001:db8::1]:444"}) {
    EXPECT_TRUE(expect_public_url(text).ok()) << text;
  }
  for (const char* text :
       {"", "https://", "http://dedup.example", "dedup.example", "https://dedup.example/", "https://a b",
        "https://dedup.example:443", "https://dedup.example:0", "https://ann@dedup.example",
        "https://dedup.example/qdedup", "https://dedup.example?a", "HTTPS://dedup.example"}) {
    EXPECT_FALSE(expect_public_url(text).ok()) << text;
  }
}

TEST(ListenAddress, IsLoopbackWithAPort) {
  struct Good {
    const char* text;
    const char* address;
    std::uint16_t port;
  };
  for (const auto& [text, address, port] :
       {Good{"127.0.0.1:9631", "127.0.0.1", 9631}, Good{"127.8.0.9:1", "127.8.0.9", 1},
        Good{"[::1]:65535", "::1", 65535}}) {
    const Result<ListenAddress> found = parse_listen_address(text);
    ASSERT_TRUE(found.ok()) << text;
    EXPECT_EQ(found->address, address);
    EXPECT_EQ(found->port, port);
  }
}

class NoListenAddress : public testing::TestWithParam<const char*> {};

TEST_P(NoListenAddress, IsRefused) {
  const Result<ListenAddress> found = parse_listen_address(GetParam());
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::config);
}

INSTANTIATE_TEST_SUITE_P(ListenAddress, NoListenAddress,
                         testing::Values("", ":", "9631", ":9631", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0",
                                         "127.0.0.1:65536", "127.0.0.1:09631", "127.0.0.1:+80",
                                         "127.0.0.1:80 ", "0.0.0.0:9631", "192.168.1.1:9631",
                                         "128.0.0.1:9631", "localhost:9631", "::1:9631", "[::1]", "[::1]9631",
                                         "[::]:9631", "[127.0.0.1]:9631", "[::ffff:127.0.0.1]:9631",
                                         "[::1:9631", "127.1:9631", "127.0.0.1\n:9631", "127.0.0.1:-1",
                                         "127.0.0.1:1x", "[]:1"));

using Kind = DeletionLimit::Kind;

TEST(DeletionLimit, IsReadAndWritten) {
  const std::pair<const char*, DeletionLimit> texts[] = {{"none", {}},
                                                         {"5%", {Kind::share, 500}},
                                                         {"0.25%", {Kind::share, 25}},
                                                         {"100%", {Kind::share, 10'000}},
                                                         {"0.05%", {Kind::share, 5}},
                                                         {"0%", {Kind::share, 0}}};
  for (const auto& [text, limit] : texts) {
    const auto read = parse_deletion_limit(text);
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(*read, limit) << text;
    EXPECT_EQ(text_of(limit), text);
  }
  EXPECT_EQ(*parse_deletion_limit("1.5%"), (DeletionLimit{Kind::share, 150}));
  EXPECT_EQ(text_of({Kind::count, 500}), "500");
  for (const char* wrong :
       {"", "%", "5", "101%", "-1%", "1.234%", ".5%", "5.%", "5 %", "None", "1e1%", "0005%"}) {
    EXPECT_FALSE(parse_deletion_limit(wrong).ok()) << wrong;
  }
}

TEST(DeletionLimit, IsExceededByOneMore) {
  EXPECT_FALSE(DeletionLimit().exceeded_by(1'000'000, 1));
  EXPECT_FALSE((DeletionLimit{Kind::count, 3}.exceeded_by(3, 0)));
  EXPECT_TRUE((DeletionLimit{Kind::count, 3}.exceeded_by(4, 100)));
  EXPECT_FALSE((DeletionLimit{Kind::share, 500}.exceeded_by(5, 100)));
  EXPECT_TRUE((DeletionLimit{Kind::share, 500}.exceeded_by(6, 100)));
  EXPECT_TRUE((DeletionLimit{Kind::share, 500}.exceeded_by(5, 99)));
  EXPECT_FALSE((DeletionLimit{Kind::share, 10'000}.exceeded_by(100'000'000, 100'000'000)));
}

}  // namespace
}  // namespace qdedup::config
