#include "config/deletion_limit.h"

#include <gtest/gtest.h>

namespace qdedup::config {
namespace {

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
