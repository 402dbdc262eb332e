#include "daemon/daemon_status.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/escaped.h"

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

TEST(DaemonStatus, NamesProblemsOfLogsAndWhatIsOfNoSingleOne) {
  DaemonStatus status;
  status.tail.looked_at = Heartbeat::Time(seconds(1));
  status.tail.trouble = Error{ErrorCode::busy, "some logs cannot be opened: too many open files"};
  const std::string followed = "files followed: 0, lines mined: 0";
  const std::string stuck = ", some logs cannot be opened: too many open files";
  EXPECT_EQ(status_line(status), followed + stuck + "; no schedule");
  EXPECT_EQ(health_trouble(status), "some logs cannot be opened: too many open files\n");
  status.tail.problems.emplace("a.log", Error{ErrorCode::no_input, "a.log: permission denied"});
  status.tail.problems.emplace("b.log", Error{ErrorCode::no_input, "b.log: permission denied"});
  EXPECT_EQ(status_line(status), followed + stuck + ", 2 logs cannot be read; no schedule");
  status.tail.trouble.reset();
  EXPECT_EQ(status_line(status), followed + ", 2 logs cannot be read; no schedule");
  EXPECT_EQ(health_trouble(status), "");
}

// Paths may hold any bytes.
TEST(DaemonStatus, ShowsPathsThatAreNotUtf8Escaped) {
  const std::string path = "a\xFF.log";
  DaemonStatus status;
  status.tail.lags[path] = {7, status.steady_now};
  status.tail.problems.emplace(path, Error{ErrorCode::no_input, "no"});
  status.tail.waiting = {path};
  const nlohmann::json json = nlohmann::json::parse(status_json(status));
  EXPECT_EQ(json["lagging_logs"][0]["path"], path_text(path));
  EXPECT_EQ(json["log_problems"][0]["path"], path_text(path));
  EXPECT_EQ(json["incomplete_logs"], nlohmann::json::array({path_text(path)}));
}

}  // namespace
}  // namespace qdedup::daemon
