#include "review/reliability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qdedup::review {
namespace {

std::vector<std::uint64_t> pairs_by_bin(const Reliability& reliability) {
  std::vector<std::uint64_t> pairs;
  for (const Reliability::Bin& bin : reliability.bins()) pairs.push_back(bin.pairs);
  return pairs;
}

// Computed independently, in Python.
TEST(ShareEstimate, HasWilsonsInterval) {
  struct Case {
    std::uint64_t successes, trials;
    double share, low, high;
  };
  for (const Case& each : {Case{95, 100, 0.95, 0.888250, 0.978456}, Case{0, 10, 0, 0, 0.277533},
                           Case{10, 10, 1, 0.722467, 1}, Case{1, 2, 0.5, 0.094531, 0.905469}}) {
    const ShareEstimate estimate = estimate_share(each.successes, each.trials);
    EXPECT_NEAR(estimate.share, each.share, 1e-6);
    EXPECT_NEAR(estimate.low, each.low, 1e-5) << each.successes << '/' << each.trials;
    EXPECT_NEAR(estimate.high, each.high, 1e-5) << each.successes << '/' << each.trials;
  }
}

TEST(ShareEstimate, OfNothingIsNotKnown) {
  EXPECT_EQ(estimate_share(0, 0).low, 0);
  EXPECT_EQ(estimate_share(0, 0).high, 1);
}

TEST(Reliability, ABinBeginsAtItsEdge) {
  Reliability reliability;
  for (const int risk : {0, 49, 50, 99, 100, 4000, 7999, 8000, 9999, 10'000}) {
    reliability.add(PairLabel::same, refine::Risk(risk));
  }
  EXPECT_THAT(pairs_by_bin(reliability), testing::ElementsAre(2, 2, 1, 0, 0, 0, 0, 1, 1, 3));
}

TEST(Reliability, CountsWhatIsNotTheSame) {
  Reliability reliability;
  reliability.add(PairLabel::same, refine::Risk(2000));
  reliability.add(PairLabel::different, refine::Risk(3000));
  reliability.add(PairLabel::reordered, refine::Risk(3500));
  reliability.add(PairLabel::unclear, refine::Risk(3999));
  reliability.add(PairLabel::unknown, refine::Risk(3999));
  const Reliability::Bin& bin = reliability.bins()[6];
  EXPECT_EQ(bin.pairs, 3U);
  EXPECT_EQ(bin.not_same, 2U);
  EXPECT_DOUBLE_EQ(bin.mean_risk(), 8500.0 / 3 / 10'000);
}

TEST(Reliability, IsWhereTheMeanIsWithinTheInterval) {
  Reliability reliability;
  for (int i = 0; i < 100; ++i) {
    reliability.add(i < 30 ? PairLabel::different : PairLabel::same, refine::Risk(3000));
    reliability.add(i < 30 ? PairLabel::different : PairLabel::same, refine::Risk(100));
  }
  EXPECT_TRUE(reliability.bins()[6].is_reliable());
  EXPECT_FALSE(reliability.bins()[2].is_reliable());
  EXPECT_EQ(reliability_text("all", reliability),
            "all\n"
            "  risk                pairs  mean in %  not same  95 % interval  within\n"
            "  0.0100-0.0200      100       1.00     30.00    21.89 - 39.58  no\n"
            "  0.2000-0.4000      100      30.00     30.00    21.89 - 39.58  yes\n");
}

TEST(Reliability, OfNothingIsNotKnown) {
  EXPECT_EQ(reliability_text("all", {}), "");
  const Json json = reliability_json({});
  ASSERT_EQ(json.size(), 10U);
  EXPECT_EQ(json[1]["from"], 0.005);
  EXPECT_EQ(json[1]["to"], 0.01);
  EXPECT_EQ(json[1]["pairs"], 0);
  EXPECT_TRUE(json[1]["within"].is_null());
}

}  // namespace
}  // namespace qdedup::review
