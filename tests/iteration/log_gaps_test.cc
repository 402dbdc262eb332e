// LogFollower, and one-shot mining, where something happens to a log while nobody looks at it: what is still
// there is mined, and what may be lost is told.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "db/named_logs.h"
#include "tests/iteration/log_following.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LogGaps : public LogFollowing {
 protected:
  void copy(const std::string& from, const std::string& to) const {
    std::filesystem::copy_file(log(from), log(to));
  }

  void follow(const std::string& glob) {
    sample.settings.logs.paths = {log(glob)};
    must(follower->use(sample.settings, options));
  }

  // Until it is followed no longer.
  void wait_until_let_go() {
    settle();
    pass(2min);
    settle();
    ASSERT_THAT(follower->logs(), IsEmpty());
  }

  std::string last_mined_at() { return must(db::Evidence(sample.store).logs()).at(0).last_mined_at; }

  // Of the logs in the store, sorted.
  std::string names() {
    std::set<std::string> sorted;
    for (const db::LogRecord& record : must(db::Evidence(sample.store).logs()))
      sorted.insert(std::filesystem::path(record.path).filename());
    std::string all;
    for (const std::string& name : sorted) all += name + " ";
    return all;
  }
};

TEST_F(LogGaps, ACopyOfALogThatNobodyReadsGoesOnWithIt) {
  write("app.log", numbered_lines(0, 20));
  sample.mine({log("app.log")});
  append("app.log", numbered_lines(20, 40));
  copy("app.log", "app.log.1");
  sample.mine({log("app.log.1")});
  expect_all(0, 40);
  append("app.log", numbered_lines(40, 45));
  sample.mine({log("app.log")});
  sample.mine({log("app.log"), log("app.log.1")});
  expect_all(0, 45);
  expect_no_loss();
}

TEST_F(LogGaps, ACopyOfALogThatIsCutWhereNobodyLooksGoesOnWithIt) {
  write("app.log", numbered_lines(0, 20));
  sample.mine({log("app.log")});
  follow("app.log.*");
  append("app.log", numbered_lines(20, 40));
  copy("app.log", "app.log.1");
  settle();
  std::filesystem::resize_file(log("app.log"), 0);
  settle();
  expect_all(0, 40);
  expect_no_loss();
}

using LargeLogGaps = LogGaps;

TEST_F(LargeLogGaps, ACopyIsReadWhenItsLogLeavesTheGlobs) {
  options.stretch_lines = 1000;
  sample.settings.resources.threads = 1;
  restart();
  write("app.log", numbered_lines(0, 300'000));
  copy("app.log", "app.log.1");
  must(follower->turn());
  ASSERT_THAT(news(LogNews::Kind::copy), ElementsAre("app.log.1"));
  ASSERT_LT(mined().size(), 300'000U);
  follow("app.log.1");
  settle();
  expect_all(0, 300'000);
  restart();
  settle();
  expect_all(0, 300'000);
}

TEST_F(LogGaps, ALogThatIsRemovedWhenTheSettingsChangeIsReadToItsEnd) {
  write("app.log.1", numbered_lines(0, 10));
  settle();
  append("app.log.1", numbered_lines(10, 30));
  remove("app.log.1");
  follow("app.log*");
  settle();
  expect_all(0, 30);
  expect_no_loss();
}

TEST_F(LogGaps, ALogThatWasAwayAndCutMeanwhileIsAPossibleLoss) {
  write("app.log", numbered_lines(0, 10));
  settle();
  rename("app.log", "away");
  wait_until_let_go();
  append("away", numbered_lines(10, 30));
  write("away", numbered_lines(30, 70));
  rename("away", "app.log");
  settle();
  EXPECT_EQ(mined().size(), 50U);
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
}

TEST_F(LogGaps, ALogThatWasAwayAndCutBackMeanwhileIsAPossibleLoss) {
  write("app.log", numbered_lines(0, 10));
  settle();
  rename("app.log", "away");
  wait_until_let_go();
  append("away", numbered_lines(10, 30));
  std::filesystem::resize_file(log("away"), numbered_lines(0, 5).size());
  rename("away", "app.log");
  settle();
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
}

TEST_F(LogGaps, ALogWhoseFirstLineIsLongAndItsCopyCountOnce) {
  const std::string lines = std::string(6'000'000, 'x') + "\n" + numbered_lines(0, 50);
  write("app.log", lines);
  write("app.log.1", lines);
  settle();
  EXPECT_EQ(mined(), numbers(0, 50));
  EXPECT_EQ(totals().lines, 51U);
}

TEST_F(LogGaps, ALogThatBeginsWithAHoleAndItsCopyCountOnce) {
  for (const char* name : {"app.log", "app.log.1"}) {
    write(name, "");
    std::filesystem::resize_file(log(name), 6'000'000);
    append(name, numbered_lines(0, 50));
  }
  settle();
  EXPECT_EQ(mined(), numbers(0, 50));
}

TEST_F(LogGaps, APackIsNamedByThePlaceWhereItIsNow) {
  write("app.log.1", numbered_lines(0, 10));
  settle();
  const std::string mined_at = last_mined_at();
  sample.clock.time += 1h;
  pack("app.log.1", "gzip", ".gz");
  settle();
  pass(2min);
  settle();
  rename("app.log.1.gz", "app.log.2.gz");
  settle();
  EXPECT_EQ(names(), "app.log.2.gz ");
  follower.reset();
  rename("app.log.2.gz", "app.log.3.gz");
  restart();
  settle();
  EXPECT_EQ(names(), "app.log.3.gz ");
  rename("app.log.3.gz", "app.log.4.gz");
  sample.mine({log("app.log.4.gz")});
  EXPECT_EQ(names(), "app.log.4.gz ");
  EXPECT_EQ(last_mined_at(), mined_at);
  expect_all(0, 10);
  expect_no_loss();
}

// Although the damaged one was the log before.
TEST_F(LogGaps, ALogIsNamedByThePackThatHoldsAllOfIt) {
  const std::string members = packed("gzip", numbered_lines(0, 5)) + packed("gzip", numbered_lines(5, 10));
  write("good.gz", members);
  std::string damaged = members;
  damaged[damaged.size() - 6] ^= 1;
  write("app.log.1.gz", damaged);
  settle();
  rename("good.gz", "app.log.2.gz");
  settle();
  EXPECT_EQ(mined(), numbers(0, 10));
  rename("app.log.1.gz", "app.log.3.gz");
  rename("app.log.2.gz", "app.log.4.gz");
  settle();
  EXPECT_EQ(names(), "app.log.4.gz ");
}

TEST_F(LogGaps, APackWithNothingInItIsNoLog) {
  write("app.log.1.gz", packed("gzip", ""));
  settle();
  sample.mine({log("app.log.1.gz")});
  EXPECT_EQ(names(), "");
}

int count_commit(void* commits) {
  ++*static_cast<int*>(commits);
  return 0;
}

TEST_F(LogGaps, LogsThatAreClosedAreNamedByThePlaceWhereTheyAreNow) {
  options.max_open_files = 1;
  restart();
  for (int i = 0; i < 4; ++i) write("app.log.a" + std::to_string(i), numbered_lines(10 * i, 10 * i + 10));
  const std::string members = packed("gzip", numbered_lines(50, 60)) + packed("gzip", numbered_lines(60, 70));
  write("app.log.a4.gz", members.substr(0, members.size() - 4));
  settle();
  for (int i = 0; i < 4; ++i) rename("app.log.a" + std::to_string(i), "app.log.b" + std::to_string(i));
  rename("app.log.a4.gz", "app.log.b4.gz");
  int commits = 0;
  must(sample.writer.write([&](db::Store& store) -> Status {
    sqlite3_commit_hook(store.database().getHandle(), count_commit, &commits);
    return {};
  }));
  settle();
  EXPECT_EQ(commits, 1);
  EXPECT_EQ(names(), "app.log.b0 app.log.b1 app.log.b2 app.log.b3 app.log.b4.gz ");
  expect_no_loss();
}

// In the place of one that was mined as far as it was complete.
TEST_F(LogGaps, AnIncompletePackThatIsReplacedIsAPossibleLoss) {
  const std::string members = packed("gzip", numbered_lines(0, 5)) + packed("gzip", numbered_lines(5, 10));
  write("app.log.1.gz", members.substr(0, members.size() - 4));
  settle();
  EXPECT_EQ(mined(), numbers(0, 5));
  remove("app.log.1.gz");
  settle();
  write("app.log.1.gz", packed("gzip", numbered_lines(20, 25)));
  settle();
  EXPECT_THAT(possible_losses(), ElementsAre("app.log.1.gz"));
}

// It changes whenever it is read.
TEST_F(LogGaps, ALogThatIsGoneAndCouldNotBeReadIsAPossibleLoss) {
  options.rotate_wait = {};
  std::ofstream writer;
  sample.files = logs::Files({}, [&] {
    if (writer.is_open()) writer << 'x' << std::flush;
  });
  restart();
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 100)));
  must(follower->turn());
  writer.open(log("app.log.1.gz"), std::ios::app);
  remove("app.log.1.gz");
  pass(2s);
  turns();
  EXPECT_THAT(news(LogNews::Kind::possible_loss), ElementsAre("app.log.1.gz"));
  EXPECT_THAT(possible_losses(), ElementsAre("app.log.1.gz"));
}

int refuse_marks(void* /*context*/, int action, const char* table, const char* /*column*/,
                 const char* /*database*/, const char* /*trigger*/) {
  return action == SQLITE_READ && std::string(table) == "log_mark" ? SQLITE_DENY : SQLITE_OK;
}

TEST_F(LogGaps, ThatMarksCannotBeReadIsNoProblemOfTheLog) {
  write("app.log", numbered_lines(0, 10));
  settle();
  must(sample.writer.write([](db::Store& store) -> Status {
    sqlite3_set_authorizer(store.database().getHandle(), refuse_marks, nullptr);
    return {};
  }));
  write("app.log.1", numbered_lines(0, 1) + numbered_lines(20, 30));
  EXPECT_FALSE(follower->turn().ok());
  EXPECT_THAT(follower->problems(), IsEmpty());
  settle();
  EXPECT_EQ(mined().size(), 21U);
}

// The id of a log that was forgotten and taken back is given to another one.
TEST_F(LogGaps, TheEndOfALogIsNotThatOfAnotherWithItsId) {
  write("app.log", numbered_lines(0, 10));
  settle();
  remove("app.log");
  wait_until_let_go();
  must(sample.writer.write([&](db::Store& store) {
    must(db::NamedLogs(store).forget({log("app.log")}, {"ann", "2026-11-26T00:00:00Z"}, false));
    return db::NamedLogs(store).take_back({log("app.log")});
  }));
  options.max_open_files = 0;
  must(follower->use(sample.settings, options));
  write("app.log.1", numbered_lines(100, 110));
  settle();
  remove("app.log.1");
  write("app.log.1.gz", packed("gzip", numbered_lines(100, 105)));
  settle();
  EXPECT_THAT(possible_losses(), ElementsAre("app.log.1.gz"));
}

}  // namespace
}  // namespace qdedup::iteration
