#include "review/share_estimate.h"

#include <gtest/gtest.h>

namespace qdedup::review {
namespace {

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

}  // namespace
}  // namespace qdedup::review
