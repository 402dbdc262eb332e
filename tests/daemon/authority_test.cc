#include "daemon/authority.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

using Values = std::vector<std::string_view>;

constexpr const char* token = "0123456789abcdef";

Authority authority() {
  Result<Authority> created = Authority::create({{"localhost:9631", "127.0.0.1:9631", "[::1]:9631"}, token});
  EXPECT_TRUE(created.ok());
  return *std::move(created);
}

TEST(Authority, ReplacesWhatWasGrantedForAnotherToken) {
  std::optional<Authority> present = authority();
  const auto by_now = present->judge({"localhost:9631"}, {"Bearer 0123456789abcdef"}).by_now;
  Authority same = authority();
  same.take_place_of(*present);
  present = std::move(same);
  EXPECT_EQ(by_now(), Verdict::granted);
  Authority other = *Authority::create({{"localhost:9631"}, "fedcba9876543210"});
  other.take_place_of(*present);
  present = std::move(other);
  EXPECT_EQ(by_now(), Verdict::unauthorised);
}

Verdict with_host(const Values& hosts) {
  return authority().judge(hosts, {"Bearer 0123456789abcdef"}).verdict;
}
Verdict with_authorization(const Values& values) {
  return authority().judge({"localhost:9631"}, values).verdict;
}

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
  EXPECT_EQ(authority().judge({"evil.example"}, {"Bearer wrong"}).verdict, Verdict::misdirected);
  EXPECT_EQ(authority().judge({"evil.example"}, {}).verdict, Verdict::misdirected);
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

TEST(Authority, IsNotMadeOfAnUnusableToken) {
  EXPECT_EQ(Authority::create({{"localhost"}, ""}).error().code, ErrorCode::config);
  EXPECT_FALSE(Authority::create({{"localhost"}, "short"}).ok());
  EXPECT_FALSE(Authority::create({{"localhost"}, "0123456789 abcdef"}).ok());
  EXPECT_FALSE(Authority::create({{"localhost"}, "================"}).ok());
  EXPECT_TRUE(Authority::create({{"localhost"}, "aGVsbG8tLl9+Ky8="}).ok());
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

TEST(Credentials, OfABearerAreTheToken) {
  const auto credentials = parse_credentials("Bearer abc");
  ASSERT_TRUE(credentials);
  EXPECT_EQ(credentials->scheme, Credentials::Scheme::bearer);
  EXPECT_EQ(credentials->token, "abc");
  EXPECT_EQ(credentials->user, "");
}

TEST(Credentials, OfBasicAreANameAndTheToken) {
  const auto credentials = parse_credentials("basic  5bCP5piOOmE6Yg==");  // 小明:a:b
  ASSERT_TRUE(credentials);
  EXPECT_EQ(credentials->scheme, Credentials::Scheme::basic);
  EXPECT_EQ(credentials->user, "小明");
  EXPECT_EQ(credentials->token, "a:b");
}

TEST(Credentials, AreNotMadeOfAnythingElse) {
  for (const char* value :
       {"", "Basic", "Basic ", "Basic !!!!", "Basic YW5u", "Basic OnRva2Vu",
        "Basic YW5uOg=", "Basic YQphOmI=", "Basic /zph", "Digest abc", "Basic YW5uOmI", "Basic=YW5uOmI="}) {
    EXPECT_FALSE(parse_credentials(value)) << value;
  }
}

TEST(Credentials, BoundTheName) {
  EXPECT_TRUE(parse_credentials("Basic YTpi"));  // a:b
  const std::string long_name =                  // 66 times "a", ":b"
      "Basic YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYTpi";
  EXPECT_FALSE(parse_credentials(long_name));
}

class TokenFile : public testing::Test {
 protected:
  std::string write(std::string_view content, mode_t mode = 0600) {
    std::string path = folder_.write("token", content);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(TokenFile, IsReadWithoutTheWhiteSpaceRoundIt) {
  EXPECT_EQ(*read_token_file(write("secret")), "secret");
  EXPECT_EQ(*read_token_file(write(" secret\r\n", 0400)), "secret");
}

TEST_F(TokenFile, IsItsOwnersAlone) {
  for (const mode_t mode : {0640U, 0604U, 0620U, 0610U, 0602U, 0601U, 0666U}) {
    const Result<std::string> read = read_token_file(write("secret", mode));
    ASSERT_FALSE(read.ok()) << mode;
    EXPECT_EQ(read.error().code, ErrorCode::config);
    EXPECT_THAT(read.error().message, AllOf(HasSubstr("token"), HasSubstr("0600")));
  }
}

TEST_F(TokenFile, HoldsAToken) {
  EXPECT_THAT(read_token_file(write("")).error().message, EndsWith("holds no token"));
  EXPECT_THAT(read_token_file(write("\n\n")).error().message, EndsWith("holds no token"));
  EXPECT_THAT(read_token_file(write(std::string(5000, 'a'))).error().message,
              EndsWith("is longer than 4096 bytes"));
}

TEST_F(TokenFile, IsARegularFile) {
  const Error missing = read_token_file(folder_ / "missing").error();
  EXPECT_EQ(missing.code, ErrorCode::no_input);
  EXPECT_THAT(missing.message, StartsWith("http.token_file: "));
  EXPECT_EQ(read_token_file(folder_.path().string()).error().code, ErrorCode::config);
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_token_file(folder_ / "fifo").error().code, ErrorCode::config);
}

}  // namespace
}  // namespace qdedup::daemon
