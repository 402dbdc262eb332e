#include "import/arrival_time.h"

#include <gtest/gtest.h>

namespace qdedup::import {
namespace {

TEST(ArrivalTime, OfSecondsOrRfc3339) {
  constexpr std::int64_t moment = 1'763'607'612;
  EXPECT_EQ(parse_arrival_time("1763607612"), moment);
  EXPECT_EQ(parse_arrival_time("2025-11-20T03:00:12Z"), moment);
  EXPECT_EQ(parse_arrival_time("2025-11-20t03:00:12z"), moment);
  EXPECT_EQ(parse_arrival_time("2025-11-20 03:00:12.999999999Z"), moment);
  EXPECT_EQ(parse_arrival_time("2025-11-20T11:00:12+08:00"), moment);
  EXPECT_EQ(parse_arrival_time("2025-11-19T23:30:12-03:30"), moment);
  EXPECT_EQ(parse_arrival_time("2024-02-29T00:00:00Z"), 1'709'164'800);
  EXPECT_EQ(parse_arrival_time("2016-12-31T23:59:60Z"), parse_arrival_time("2016-12-31T23:59:59Z"));
  EXPECT_EQ(parse_arrival_time("0"), 0);
  EXPECT_EQ(parse_arrival_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_arrival_time("253402300799"), parse_arrival_time("9999-12-31T23:59:59Z"));
}

TEST(ArrivalTime, OfNothingElse) {
  for (const char* const wrong : {"",
                                  " ",
                                  "-1",
                                  "1.5",
                                  "1e9",
                                  "+1",
                                  "1 ",
                                  "253402300800",
                                  "99999999999999999999",
                                  "2025-11-20",
                                  "2025-11-20T03:00Z",
                                  "2025-11-20T03:00:12",
                                  "2025-11-20T03:00:12.Z",
                                  "2025-11-20T03:00:12+0800",
                                  "2025-11-20T24:00:00Z",
                                  "2025-11-20T03:60:12Z",
                                  "2025-11-20T03:00:61Z",
                                  "2025-13-20T03:00:12Z",
                                  "2025-02-29T03:00:12Z",
                                  "2025-11-20T03:00:12Z ",
                                  "25-11-20T03:00:12Z",
                                  "2025-1-20T03:00:12Z",
                                  "1969-12-31T23:59:59Z",
                                  "1970-01-01T00:00:00+00:01",
                                  "1969-12-31T23:59:59-00:01",
                                  "2025-11-20T03:00:12+-8:00",
                                  "2025-11-20T03:00:12+24:00",
                                  "2025-11-20T03:00:12+08:60",
                                  "2025-11- 1T03:00:12Z",
                                  "9999-12-31T23:59:59-00:01",
                                  "yesterday"}) {
    EXPECT_FALSE(parse_arrival_time(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace qdedup::import
