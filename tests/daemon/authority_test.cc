#include "daemon/authority.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using Values = std::vector<std::string_view>;

constexpr const char* token = "0123456789abcdef";

Authority authority() {
  Result<Authority> created = Authority::create({"localhost:9631", "127.0.0.1:9631", "[::1]:9631"}, token);
  EXPECT_TRUE(created.ok());
  return *std::move(created);
}

Verdict with_host(const Values& hosts) { return authority().judge(hosts, {"Bearer 0123456789abcdef"}); }
Verdict with_authorization(const Values& values) { return authority().judge({"localhost:9631"}, values); }

TEST(Authority, GrantsAKnownHostWithTheToken) {
  EXPECT_EQ(with_host({"localhost:9631"}), Verdict::granted);
  EXPECT_EQ(with_host({"LocalHost:9631"}), Verdict::granted);
  EXPECT_EQ(with_host({"127.0.0.1:9631"}), Verdict::granted);
  EXPECT_EQ(with_host({"[::1]:9631"}), Verdict::granted);
}

TEST(Authority, MisdirectsAnyOtherHost) {
  for (const char* host :
       {"localhost", "localhost:9632", "127.0.0.1", "127.0.0.2:9631", "evil.example:9631",
        "localhost.evil.example:9631", "localhost.:9631", "0x7f.1:9631", "localhost:09631"}) {
    EXPECT_EQ(with_host({host}), Verdict::misdirected) << host;
  }
}

TEST(Authority, RefusesWhatIsNoHost) {
  for (const char* host :
       {"", " ", "localhost:9631 ", "localhost:9631,evil", "a b", "http://localhost:9631", "[::1", "[]:9631",
        "localhost:", "localhost:99999", "localhost:-1", "user@localhost:9631", "a/b", "h\xC3\xA9", "::1"}) {
    EXPECT_EQ(with_host({host}), Verdict::bad_host) << host;
  }
  EXPECT_EQ(with_host({std::string_view("localhost:9631\0", 15)}), Verdict::bad_host);
}

TEST(Authority, RefusesNoHostOrSeveral) {
  EXPECT_EQ(with_host({}), Verdict::bad_host);
  EXPECT_EQ(with_host({"localhost:9631", "localhost:9631"}), Verdict::bad_host);
}

TEST(Authority, ChecksTheHostBeforeTheToken) {
  EXPECT_EQ(authority().judge({"evil.example"}, {"Bearer wrong"}), Verdict::misdirected);
  EXPECT_EQ(authority().judge({"evil.example"}, {}), Verdict::misdirected);
}

TEST(Authority, KnowsTheTokenInEverySpellingOfTheScheme) {
  EXPECT_EQ(with_authorization({"Bearer 0123456789abcdef"}), Verdict::granted);
  EXPECT_EQ(with_authorization({"bearer 0123456789abcdef"}), Verdict::granted);
  EXPECT_EQ(with_authorization({"BEARER   0123456789abcdef"}), Verdict::granted);
}

TEST(Authority, RefusesEveryOtherToken) {
  for (const char* value :
       {"", "Bearer", "Bearer ", "0123456789abcdef", "Basic 0123456789abcdef", "Bearer 0123456789abcde",
        "Bearer 0123456789abcdef0", "Bearer 0123456789abcdeF", "Bearer 0123456789abcdef0123456789abcdef",
        "Bearer 0123456789abcdef ", "Bearer\t0123456789abcdef", "Bearer0123456789abcdef"}) {
    EXPECT_EQ(with_authorization({value}), Verdict::unauthorised) << value;
  }
  EXPECT_EQ(with_authorization({}), Verdict::unauthorised);
  EXPECT_EQ(with_authorization({"Bearer 0123456789abcdef", "Bearer 0123456789abcdef"}),
            Verdict::unauthorised);
}

TEST(Authority, IsNotMadeOfUnusableSettings) {
  EXPECT_EQ(Authority::create({}, token).error().code, ErrorCode::config);
  EXPECT_THAT(Authority::create({"a b"}, token).error().message, testing::HasSubstr("a b"));
  EXPECT_FALSE(Authority::create({"localhost"}, "").ok());
  EXPECT_FALSE(Authority::create({"localhost"}, "short").ok());
  EXPECT_FALSE(Authority::create({"localhost"}, "0123456789 abcdef").ok());
  EXPECT_FALSE(Authority::create({"localhost"}, "================").ok());
  EXPECT_TRUE(Authority::create({"localhost"}, "aGVsbG8tLl9+Ky8=").ok());
}

TEST(LocalHost, IsThisMachineOrEmpty) {
  for (const char* host :
       {"localhost", "LocalHost:9631", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8080"}) {
    EXPECT_EQ(judge_local_host({host}, true), Verdict::granted) << host;
  }
  EXPECT_EQ(judge_local_host({""}, true), Verdict::granted);
  EXPECT_EQ(judge_local_host({}, false), Verdict::granted);
}

TEST(LocalHost, MisdirectsAnyOther) {
  for (const char* host : {"evil.example", "evil.example:8080", "localhost.evil.example",
                           "127.0.0.1.evil.example", "127.0.0.2", "[::2]", "[::1:1]:80", "0.0.0.0", "a"}) {
    EXPECT_EQ(judge_local_host({host}, true), Verdict::misdirected) << host;
    EXPECT_EQ(judge_local_host({host}, false), Verdict::misdirected) << host;
  }
}

TEST(LocalHost, IsOneAndWellFormed) {
  EXPECT_EQ(judge_local_host({}, true), Verdict::bad_host);
  EXPECT_EQ(judge_local_host({"a", "a"}, true), Verdict::bad_host);
  EXPECT_EQ(judge_local_host({"a b"}, true), Verdict::bad_host);
}

}  // namespace
}  // namespace qdedup::daemon
