#include "daemon/daemon_status.h"

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using std::chrono::seconds;

class HangTest : public testing::Test {
 protected:
  static Heartbeat::Time at(int second) { return Heartbeat::Time(seconds(second)); }
  std::optional<std::string> hang_at(int second) {
    status_.steady_now = at(second);
    return find_hang(status_, seconds(60));
  }

  DaemonStatus status_;
};

TEST_F(HangTest, AnIdleDaemonIsAlive) { EXPECT_FALSE(hang_at(100'000)); }

TEST_F(HangTest, AnIterationOfHoursThatGetsOnIsAlive) {
  status_.worker = Worker::RunningJob{"iteration", at(0), {at(9'970)}};
  EXPECT_FALSE(hang_at(10'000));
}

TEST_F(HangTest, AJobThatDoesNotMoveHangs) {
  status_.worker = Worker::RunningJob{"import", at(0), {at(100)}};
  EXPECT_FALSE(hang_at(160));
  EXPECT_EQ(hang_at(161), "the import does not get on");
}

TEST_F(HangTest, ACommitMayTakeLonger) {
  status_.worker = Worker::RunningJob{"iteration", at(0), {at(100), db::Activity::commit}};
  EXPECT_FALSE(hang_at(700));
  EXPECT_EQ(hang_at(701), "the iteration does not get on");
}

TEST_F(HangTest, ATurnThatDoesNotMoveHangs) {
  status_.tail_beat = {at(0)};
  EXPECT_FALSE(hang_at(60));
  EXPECT_EQ(hang_at(61), "following the logs does not get on");
}

TEST_F(HangTest, ARequestThatIsReadForWithoutEndHangs) {
  status_.reader = Worker::RunningJob{"metrics", at(0), {at(0)}};
  EXPECT_FALSE(hang_at(600));
  EXPECT_EQ(hang_at(601), "reading for a request (metrics) does not get on");
}

TEST_F(HangTest, ACheckThatDoesNotMoveHangs) {
  status_.checker = Worker::RunningJob{"check", at(0), {at(100)}};
  EXPECT_FALSE(hang_at(700));
  EXPECT_EQ(hang_at(701), "checking questions does not get on");
}

TEST_F(HangTest, AnIndexThatDoesNotMoveHangs) {
  status_.check_index.building = at(0);
  EXPECT_FALSE(hang_at(600));
  EXPECT_EQ(hang_at(601), "building the index of the bank does not get on");
}

TEST_F(HangTest, ATurnThatDoesNotMoveHangsWhateverTheWorkerDoes) {
  status_.tail_beat = {at(0)};
  status_.worker = Worker::RunningJob{"iteration", at(0), {at(60)}};
  EXPECT_EQ(hang_at(61), "following the logs does not get on");
}

TEST_F(HangTest, AStoreThatDoesNotAnswerHangs) {
  status_.store_asked = at(5);
  EXPECT_FALSE(hang_at(65));
  EXPECT_EQ(hang_at(66), "the store does not answer");
}

}  // namespace
}  // namespace qdedup::daemon
