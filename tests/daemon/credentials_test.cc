#include "daemon/credentials.h"

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

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

}  // namespace
}  // namespace qdedup::daemon
