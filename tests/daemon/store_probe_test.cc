#include "daemon/store_probe.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

// Answers that have come are seen by the loop's next turn.
class StoreProbeTest : public testing::Test {
 protected:
  void ask_and_await() {
    probe_.ask();
    EXPECT_TRUE(probe_.asked_in_vain_since());
    while (!probe_.is_done(std::chrono::hours(1))) {
    }
    loop_.restart();
    loop_.poll();
  }

  TemporaryFolder folder_;
  boost::asio::io_context loop_;
  StoreProbe probe_{loop_, db::StateFolder(folder_.path())};
};

TEST_F(StoreProbeTest, IsAnsweredByAStore) {
  ASSERT_TRUE(db::Store::open(db::StateFolder(folder_.path()), db::Access::read_write).ok());
  EXPECT_FALSE(probe_.asked_in_vain_since());
  for (int i = 0; i < 3; ++i) {
    ask_and_await();
    EXPECT_FALSE(probe_.asked_in_vain_since());
  }
}

TEST_F(StoreProbeTest, CountsFromTheFirstThatWasNotAnswered) {
  ask_and_await();
  const auto since = probe_.asked_in_vain_since();
  ASSERT_TRUE(since);
  ask_and_await();
  EXPECT_EQ(probe_.asked_in_vain_since(), since);
  ASSERT_TRUE(db::Store::open(db::StateFolder(folder_.path()), db::Access::read_write).ok());
  ask_and_await();
  EXPECT_FALSE(probe_.asked_in_vain_since());
}

}  // namespace
}  // namespace qdedup::daemon
