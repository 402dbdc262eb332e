#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "db/named_logs.h"
#include "tests/iteration/log_following.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// app.log with lines 0 to 9 was mined, then forgotten.
class ForgottenLog : public LogFollowing {
 protected:
  ForgottenLog() {
    write("app.log", numbered_lines(0, 10));
    settle();
    forget("app.log");
    settle();
  }

  void forget(const std::string& name) {
    must(sample.writer.write([&](db::Store& store) {
      return db::NamedLogs(store).forget({log(name)}, {"ann", "2026-11-26T00:00:00Z"}, false);
    }));
    follower->reload();
  }

  void take_back(const std::string& name) {
    must(sample.writer.write([&](db::Store& store) { return db::NamedLogs(store).take_back({log(name)}); }));
    follower->reload();
  }

  std::string forgotten_name() {
    for (const db::LogRecord& record : must(db::Evidence(sample.store).logs())) {
      if (record.is_forgotten()) return std::filesystem::path(record.path).filename();
    }
    return "";
  }
};

TEST_F(ForgottenLog, IsLeftOutHoweverItGrows) {
  EXPECT_THAT(mined(), IsEmpty());
  EXPECT_THAT(news(LogNews::Kind::left_out), ElementsAre("app.log"));
  append("app.log", numbered_lines(10, 20));
  settle();
  restart();
  append("app.log", numbered_lines(20, 30));
  settle();
  EXPECT_THAT(follower->lags(), IsEmpty());
  expect_all(0, 0);
  expect_no_loss();
}

TEST_F(ForgottenLog, IsFollowedByANewLogWhenItIsRotated) {
  rename("app.log", "app.log.1");
  write("app.log", numbered_lines(100, 103));
  settle();
  pack("app.log.1", "gzip", ".gz");
  settle();
  append("app.log", numbered_lines(103, 105));
  rename("app.log.1.gz", "app.log.2.gz");
  settle();
  pass(61s);
  settle();
  expect_all(100, 105);
  expect_no_loss();
  EXPECT_EQ(forgotten_name(), "app.log.2.gz");
}

TEST_F(ForgottenLog, IsLeftOutWhenItWasPackedWhileNobodyLooked) {
  append("app.log", numbered_lines(10, 20));
  pack("app.log", "zstd", ".zst");
  restart();
  settle();
  expect_all(0, 0);
  expect_no_loss();
}

TEST_F(ForgottenLog, IsLeftOutInCopiesAndWhatFollowsInItsFileIsMined) {
  append("app.log", numbered_lines(10, 20));
  write("app.log.copy", numbered_lines(0, 15));
  settle();
  copy_and_cut("app.log", "app.log.1");
  settle();
  expect_all(0, 0);
  append("app.log", numbered_lines(100, 103));
  settle();
  expect_all(100, 103);
  expect_no_loss();
}

TEST_F(ForgottenLog, IsLeftOutInACopyThatGrewOtherwise) {
  follower.reset();
  write("app.log.copy", numbered_lines(0, 10) + numbered_lines(30, 33));
  append("app.log", numbered_lines(10, 20));
  restart();
  settle();
  expect_all(0, 0);
  expect_no_loss();
}

TEST_F(ForgottenLog, IsCutWhileNobodyLooksAndTheNewLinesAreMined) {
  follower.reset();
  copy_and_cut("app.log", "app.log.1");
  append("app.log", numbered_lines(100, 103));
  restart();
  settle();
  expect_all(100, 103);
  expect_no_loss();
}

TEST_F(ForgottenLog, IsLeftOutWhenOnlyItsFirstLinesAreLeft) {
  remove("app.log");
  settle();
  write("app.log.old", numbered_lines(0, 7));
  settle();
  expect_all(0, 0);
  expect_no_loss();
}

TEST_F(ForgottenLog, IsMinedFromItsStartWhenItIsTakenBack) {
  append("app.log", numbered_lines(10, 12));
  write("app.log.gz", packed("gzip", numbered_lines(20, 30)));
  settle();
  forget("app.log.gz");
  settle();
  expect_all(0, 0);
  take_back("app.log.gz");
  settle();
  expect_all(20, 30);
  take_back("app.log");
  settle();
  EXPECT_EQ(mined().size(), 22U);
  expect_no_loss();
}

// As a header that each log begins with.
TEST_F(ForgottenLog, OfASingleLineIsNotTheBeginningOfOthers) {
  write("app.log.b", numbered_line(20));
  settle();
  forget("app.log.b");
  settle();
  remove("app.log.b");
  pass(2min);
  settle();
  write("app.log.b", numbered_line(20));
  settle();
  expect_all(0, 0);
  append("app.log.b", numbered_lines(21, 30));
  settle();
  expect_all(20, 30);
  expect_no_loss();
  EXPECT_THAT(news(LogNews::Kind::possible_twice), IsEmpty());
}

// Nor of what is written to a file after it was cut, whether all of the forgotten log is that line or not.
TEST_F(ForgottenLog, WithTheFirstLineOfALogThatWasCutTakesNoneOfIt) {
  write("app.log.b", numbered_line(20));
  settle();
  forget("app.log.b");
  settle();
  remove("app.log");
  remove("app.log.b");
  pass(2min);
  settle();
  write("app.log.c", numbered_lines(100, 150));
  write("app.log.d", numbered_lines(150, 200));
  settle();
  write("app.log.c", numbered_line(0) + numbered_lines(200, 203));
  write("app.log.d", numbered_line(20) + numbered_lines(203, 206));
  settle();
  std::vector<int> all = numbers(100, 206);
  all.insert(all.begin(), {0, 20});
  EXPECT_EQ(mined(), all);
  EXPECT_THAT(possible_losses(), ElementsAre("app.log.c", "app.log.d"));
}

TEST_F(ForgottenLog, OthersGoOnMeanwhile) {
  write("app.log.b", numbered_lines(20, 22));
  settle();
  forget("app.log.b");
  write("app.log.c", numbered_lines(30, 32));
  settle();
  append("app.log.b", numbered_lines(22, 25));
  append("app.log.c", numbered_lines(32, 35));
  settle();
  expect_all(30, 35);
  expect_no_loss();
}

}  // namespace
}  // namespace qdedup::iteration
