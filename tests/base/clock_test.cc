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

}  // namespace
}  // namespace qdedup
