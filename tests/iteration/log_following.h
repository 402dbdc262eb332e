#pragma once

#include <gmock/gmock.h>

#include "tests/support/followed_logs.h"

namespace qdedup::iteration {

class LogFollowing : public testing::Test, protected FollowedLogs {
 protected:
  // Each line from `begin` to `end` was mined exactly once, the sums agree, and no loss is suspected.
  void expect_all(int begin, int end) {
    EXPECT_EQ(mined(), numbers(begin, end));
    const LineTotals sum = totals();
    EXPECT_EQ(sum.lines, sum.selected + sum.unselected + sum.rejected_total());
    EXPECT_EQ(sum.selected, static_cast<std::uint64_t>(end - begin));
    EXPECT_THAT(follower->problems(), testing::IsEmpty());
  }

  void expect_no_loss() {
    EXPECT_THAT(possible_losses(), testing::IsEmpty());
    EXPECT_EQ(follower->counters().possible_loss, 0U);
  }
};

}  // namespace qdedup::iteration
