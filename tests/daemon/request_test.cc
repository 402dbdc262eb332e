#include "daemon/request.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

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

}  // namespace
}  // namespace qdedup::daemon
