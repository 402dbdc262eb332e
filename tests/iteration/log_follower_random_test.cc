// LogFollower against a writer and a rotation that know what they wrote.

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/reference/rotated_logs.h"
#include "tests/support/followed_logs.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;

class RandomRotation : public testing::TestWithParam<int>, protected FollowedLogs {
 protected:
  int choose(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  void step() {
    switch (choose(18)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return written_.write_lines(1 + choose(60));
      case 4:
        return written_.begin_line();
      case 5:
        return written_.rotate();
      case 6:
        return written_.reopen();
      case 7:
        return copy_and_cut();
      case 8:
        return written_.pack("gzip", ".gz");
      case 9:
        return written_.pack("zstd -q", ".zst");
      case 10:
        return remove_oldest();
      case 11:
        return restart();
      case 12:
        return fail();
      case 13:
        return pass(std::chrono::milliseconds(choose(3) * 1000));
      case 14:
        return pass(std::chrono::seconds(choose(3) * 40));
      case 15:
        return pack_early();
      case 16:
        return cut_back();
      default:
        std::ignore = follower->turn();
    }
  }

  // A line that is half copied and half written to the log that was cut is nobody's.
  void copy_and_cut() {
    if (written_.line_is_begun() || !written_.is_reopened() || !std::filesystem::exists(log("app.log")))
      return;
    written_.copy();
    if (choose(2) == 0) turns();
    const bool goes_on = choose(3) == 0;
    if (goes_on) {
      written_.write_lines(1 + choose(10));
      settle();
    }
    written_.cut();
    ++cuts_;
    if (goes_on) turns();
  }

  // What comes late is only in the file that goes.
  void pack_early() {
    if (written_.line_is_begun()) return;
    settle();
    const bool is_killed = choose(2) == 0;
    written_.pack("gzip", ".gz", 1 + choose(20), [&] { is_killed ? settle() : static_cast<void>(turns()); });
    if (is_killed) restart();
    ++cuts_;
  }

  void cut_back() {
    if (written_.line_is_begun() || !written_.is_reopened() || !std::filesystem::exists(log("app.log")))
      return;
    settle();
    written_.cut_back(1 + choose(40));
    if (choose(2) == 0) settle();
    if (choose(3) == 0) restart();
    ++cuts_;
  }

  void remove_oldest() {
    if (written_.generations() < 4) return;
    settle();
    written_.remove_oldest();
  }

  void fail() {
    next_append(choose(2) == 0 ? Append::is_refused : Append::is_stored_and_fails);
    written_.write_lines(1 + choose(3));
    std::ignore = follower->turn();
    next_append(Append::works);
  }

  void expect_all(int round) {
    settle();
    ASSERT_EQ(wrong_lines(written_.complete_lines()), "") << GetParam() << ' ' << round;
    const LineTotals sum = totals();
    ASSERT_EQ(sum.lines, sum.selected) << GetParam() << ' ' << round;
    ASSERT_TRUE(follower->problems().empty());
  }

  std::mt19937_64 random_{static_cast<std::uint64_t>(GetParam())};
  reference::RotatedLogs written_{log("")};
  int cuts_ = 0;  // and all else that may be a loss
};

TEST_P(RandomRotation, EachLineCountsOnce) {
  if (choose(2) == 0) options.max_open_files = 2;
  if (choose(2) == 0) options.stretch_bytes = 200;
  restart();
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 25; ++i) step();
    expect_all(round);
    if (HasFatalFailure()) return;
  }
  EXPECT_TRUE(cuts_ > 0 || possible_losses().empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRotation, testing::Range(0, 20));

}  // namespace
}  // namespace qdedup::iteration
