#include "base/clock.h"

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(Timestamp, IsUtcToTheSecond) {
  const std::chrono::system_clock::time_point epoch;
  EXPECT_EQ(timestamp(epoch), "1970-01-01T00:00:00Z");
  EXPECT_EQ(timestamp(epoch + std::chrono::seconds(1'795'143'612)), "2026-11-20T03:00:12Z");
  EXPECT_EQ(timestamp(epoch + std::chrono::milliseconds(1999)), "1970-01-01T00:00:01Z");
}

TEST(Timestamp, IsReadBack) {
  const auto time = parse_timestamp("2026-11-20T03:00:12Z");
  ASSERT_TRUE(time);
  EXPECT_EQ(timestamp(*time), "2026-11-20T03:00:12Z");
  for (const char* wrong : {"", "2026-11-20", "2026-11-20T03:00:12", "2026-13-20T03:00:12Z",
                            "2026-11-20T03:00:12Z ", "2026-02-31T03:00:12Z", "2026-11-20T3:00:12Z"}) {
    EXPECT_FALSE(parse_timestamp(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace qdedup
