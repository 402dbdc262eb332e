#include "review/report_overview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::review {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SimilarityBars, RunFromTheLowestToAHundred) {
  std::array<std::uint64_t, 101> counts{};
  counts[97] = 4;
  counts[99] = 2;
  EXPECT_THAT(similarity_bars(counts), ElementsAre(HistogramBar{"97", 4}, HistogramBar{"98", 0},
                                                   HistogramBar{"99", 2}, HistogramBar{"100", 0}));
}

TEST(SimilarityBars, CoverZeroToo) {
  std::array<std::uint64_t, 101> counts{};
  counts[0] = 1;
  const auto bars = similarity_bars(counts);
  EXPECT_EQ(bars.size(), 101U);
  EXPECT_EQ(bars.front(), (HistogramBar{"0", 1}));
  EXPECT_EQ(bars.back(), (HistogramBar{"100", 0}));
}

TEST(SimilarityBars, AreNoneForNothing) { EXPECT_THAT(similarity_bars({}), IsEmpty()); }

TEST(ClusterSizeBars, EachBinHasBothItsEnds) {
  EXPECT_THAT(
      cluster_size_bars({{1, 1},
                         {2, 2},
                         {3, 3},
                         {4, 4},
                         {5, 10},
                         {9, 1},
                         {10, 20},
                         {19, 2},
                         {20, 30},
                         {49, 3},
                         {50, 40},
                         {99, 4},
                         {100, 50},
                         {199, 5},
                         {200, 60},
                         {5'000, 6}}),
      ElementsAre(HistogramBar{"1", 1}, HistogramBar{"2", 2}, HistogramBar{"3", 3}, HistogramBar{"4", 4},
                  HistogramBar{"5–9", 11}, HistogramBar{"10–19", 22}, HistogramBar{"20–49", 33},
                  HistogramBar{"50–99", 44}, HistogramBar{"100–199", 55}, HistogramBar{"200 and more", 66}));
}

TEST(ClusterSizeBars, EmptyBinsAreDroppedAtTheEndsOnly) {
  EXPECT_THAT(cluster_size_bars({{3, 7}, {12, 1}}),
              ElementsAre(HistogramBar{"3", 7}, HistogramBar{"4", 0}, HistogramBar{"5–9", 0},
                          HistogramBar{"10–19", 1}));
}

TEST(ClusterSizeBars, AreNoneForNothing) { EXPECT_THAT(cluster_size_bars({}), IsEmpty()); }

}  // namespace
}  // namespace qdedup::review
