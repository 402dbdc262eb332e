#include "daemon/tail.h"

#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

using std::chrono::milliseconds;

class TailTest : public testing::Test {
 protected:
  TailTest() {
    folder_.write("search.log", "[[1,0.9],[2,0.8]]\n[[3,0.9],[4,0.8]]\n");
    settings_.logs.paths = {folder_ / "*.log"};
    const Tail::Events events{[](const iteration::LogNews&) {}, [](const std::optional<Error>&) {},
                              [this] { loop_.stop(); }};
    tail_ = *Tail::create(loop_, settings_, writer_, clock_, events);
  }

  std::uint64_t lines() const { return tail_->report().counters.totals.lines; }
  TemporaryFolder folder_;
  config::Settings settings_;
  SystemClock clock_;
  boost::asio::io_context loop_;
  db::StoreWriter writer_ = *db::StoreWriter::open(db::StateFolder(folder_.path().string()));
  std::unique_ptr<Tail> tail_;
};

TEST_F(TailTest, MinesWhatTheGlobsMatch) {
  tail_->look_now();
  const auto waits_for_the_turn = boost::asio::make_work_guard(loop_);
  loop_.run();
  EXPECT_EQ(lines(), 2U);
  EXPECT_FALSE(tail_->last_beat());
  EXPECT_TRUE(tail_->stop(std::chrono::hours(1)));
}

TEST_F(TailTest, WaitsForAPauseToEndAndThatIsNoHang) {
  std::shared_ptr<void> pause = tail_->pause([] { return true; });
  tail_->look_now();
  EXPECT_FALSE(tail_->stop(milliseconds(20)));
  EXPECT_EQ(lines(), 0U);
  while (tail_->report().lags.empty()) std::this_thread::yield();
  while (tail_->last_beat()) std::this_thread::yield();  // until that look is over
  EXPECT_EQ(tail_->report().lags.begin()->second.bytes, 36U);
  pause.reset();
  EXPECT_TRUE(tail_->stop(std::chrono::hours(1)));
  EXPECT_EQ(lines(), 2U);
}

TEST_F(TailTest, GivesUpAPauseThatIsNoLongerWanted) {
  const std::shared_ptr<void> pause = tail_->pause([] { return true; });
  int asked = 0;
  std::thread([&] { EXPECT_EQ(tail_->pause([&] { return ++asked < 2; }), nullptr); }).join();
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace qdedup::daemon
