#include "page/precision.h"

#include <gtest/gtest.h>

namespace qdedup::page {
namespace {

// Computed independently, in Python.
TEST(Precision, HasWilsonsInterval) {
  struct Case {
    std::uint64_t successes, trials;
    double share, low, high;
  };
  for (const Case& each : {Case{95, 100, 0.95, 0.888250, 0.978456}, Case{0, 10, 0, 0, 0.277533},
                           Case{10, 10, 1, 0.722467, 1}, Case{1, 2, 0.5, 0.094531, 0.905469}}) {
    const Precision precision = precision_of(each.successes, each.trials);
    EXPECT_NEAR(precision.share, each.share, 1e-6);
    EXPECT_NEAR(precision.low, each.low, 1e-5) << each.successes << '/' << each.trials;
    EXPECT_NEAR(precision.high, each.high, 1e-5) << each.successes << '/' << each.trials;
  }
}

TEST(Precision, OfNothingIsNotKnown) {
  EXPECT_EQ(precision_of(0, 0).low, 0);
  EXPECT_EQ(precision_of(0, 0).high, 1);
}

}  // namespace
}  // namespace qdedup::page
