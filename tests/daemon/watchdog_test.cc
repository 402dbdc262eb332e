#include "daemon/watchdog.h"

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using std::chrono::seconds;

class HangTest : public testing::Test {
 protected:
  static SignsOfLife::Time at(int second) { return SignsOfLife::Time(seconds(second)); }
  std::optional<std::string> hang_at(int second) {
    signs_.now = at(second);
    return hang(signs_, seconds(60));
  }

  SignsOfLife signs_;
};

TEST_F(HangTest, AnIdleDaemonIsAlive) { EXPECT_FALSE(hang_at(100'000)); }

TEST_F(HangTest, AnIterationOfHoursThatGetsOnIsAlive) {
  signs_.worker = Worker::Activity{"iteration", at(0), {at(9'970)}};
  EXPECT_FALSE(hang_at(10'000));
}

TEST_F(HangTest, AJobThatDoesNotMoveHangs) {
  signs_.worker = Worker::Activity{"import", at(0), {at(100)}};
  EXPECT_FALSE(hang_at(160));
  EXPECT_EQ(hang_at(161), "the import does not get on");
}

TEST_F(HangTest, ACommitMayTakeLonger) {
  signs_.worker = Worker::Activity{"iteration", at(0), {at(100), db::Activity::commit}};
  EXPECT_FALSE(hang_at(700));
  EXPECT_EQ(hang_at(701), "the iteration does not get on");
}

TEST_F(HangTest, ATurnThatDoesNotMoveHangs) {
  signs_.turn = {at(0)};
  EXPECT_FALSE(hang_at(60));
  EXPECT_EQ(hang_at(61), "following the logs does not get on");
}

TEST_F(HangTest, AnIndexThatDoesNotMoveHangs) {
  signs_.index_moved = at(0);
  EXPECT_FALSE(hang_at(600));
  EXPECT_EQ(hang_at(601), "building the index of the bank does not get on");
}

TEST_F(HangTest, ATurnThatDoesNotMoveHangsWhateverTheWorkerDoes) {
  signs_.turn = {at(0)};
  signs_.worker = Worker::Activity{"iteration", at(0), {at(60)}};
  EXPECT_EQ(hang_at(61), "following the logs does not get on");
}

TEST_F(HangTest, AStoreThatDoesNotAnswerHangs) {
  signs_.store_asked = at(5);
  EXPECT_FALSE(hang_at(65));
  EXPECT_EQ(hang_at(66), "the store does not answer");
}

}  // namespace
}  // namespace qdedup::daemon
