// LogFollower, and one-shot mining, where a file holds less than what was mined of its log, or something
// damaged.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/iteration/log_following.h"
#include "tests/support/sampled.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Cut {
  const char* name;
  bool down;      // nobody looks while it happens
  bool one_shot;  // mine_logs() mines what comes then
};

void PrintTo(const Cut& cut, std::ostream* out) { *out << cut.name; }

std::vector<std::string> paths_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  return paths;
}

class Generations : public LogFollowing, public testing::WithParamInterface<Cut> {
 protected:
  void mine_first(const std::string& bytes) {
    write("app.log", bytes);
    if (!follower) restart();
    settle();
    if (GetParam().down) follower.reset();
  }

  void mine_then() {
    if (GetParam().one_shot) {
      sample.mine(paths_in(log("")));
    } else {
      if (!follower) restart();
      settle();
    }
  }

  // Now, and by a process that comes later.
  void expect_mined(std::vector<int> expected) {
    for (int round = 0; round < 2; ++round) {
      mine_then();
      EXPECT_EQ(mined(), expected);
      const LineTotals sum = totals();
      EXPECT_EQ(sum.lines, sum.selected + sum.unselected + sum.rejected_total());
      EXPECT_EQ(sum.selected, expected.size());
      if (follower) restart();
    }
  }

  std::vector<int> numbers_and(int end, int more_begin, int more_end) {
    std::vector<int> all = numbers(0, end);
    for (const int number : numbers(more_begin, more_end)) all.push_back(number);
    return all;
  }

  std::vector<std::string> possible_twices() {
    std::vector<std::string> names;
    for (const db::LogRecord& record : must(db::Evidence(sample.store).logs())) {
      if (record.possible_twice) names.push_back(std::filesystem::path(record.path).filename());
    }
    return names;
  }

  // In the store, and by whoever mines it now.
  void expect_told_of_lines_twice(FollowedLogs& logs) {
    bool told = false;
    if (GetParam().one_shot) {
      told = logs.sample.mine({logs.log("app.log")}).logs.front().possible_twice;
    } else {
      if (!logs.follower) logs.restart();
      logs.pass(70s);
      logs.settle();
      told = logs.news(LogNews::Kind::possible_twice) == std::vector<std::string>{"app.log"};
    }
    EXPECT_TRUE(told);
    EXPECT_GT(logs.totals().selected, 1800U);
    EXPECT_TRUE(
        std::ranges::any_of(must(db::Evidence(logs.sample.store).logs()), &db::LogRecord::possible_twice));
  }

  // Only while it is followed is it known that nothing else came.
  void expect_loss_unless_followed(const std::string& name) {
    if (GetParam().down) {
      EXPECT_THAT(possible_losses(), ElementsAre(name));
    } else {
      EXPECT_THAT(possible_losses(), IsEmpty());
    }
    EXPECT_THAT(possible_twices(), IsEmpty());
  }
};

// Fault 31: written after the packer had read the log.
TEST_P(Generations, APackedOneLacksTheLastLines) {
  mine_first(numbered_lines(0, 1000));
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 990)));
  remove("app.log");
  if (follower) settle();
  pass(70s);
  expect_mined(numbers(0, 1000));
  expect_loss_unless_followed("app.log.1.gz");
}

TEST_P(Generations, TwoAreShorterThanWhatWasMined) {
  write("app.log.1", numbered_lines(1000, 2000));
  mine_first(numbered_lines(0, 1000));
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 999) + "[[19"));
  write("app.log.2.zst", packed("zstd -q", numbered_lines(1000, 1600)));
  remove("app.log");
  remove("app.log.1");
  if (follower) settle();
  pass(70s);
  expect_mined(numbers(0, 2000));
}

TEST_P(Generations, APackedOneHoldsLinesThatWereNotMined) {
  mine_first(numbered_lines(0, 1000));
  append("app.log", numbered_lines(1000, 1100));
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 1100)));
  remove("app.log");
  if (follower) settle();
  pass(70s);
  expect_mined(numbers(0, 1100));
  EXPECT_THAT(possible_losses(), IsEmpty());
}

// As a file system does that loses what was written last when the power fails.
TEST_P(Generations, AFileIsCutBackAndGoesOn) {
  for (const bool within_line : {false, true}) {
    SCOPED_TRACE(within_line);
    const int begin = within_line ? 10'000 : 0;
    std::filesystem::remove(log("app.log"));
    mine_first(numbered_lines(begin, begin + 1000));
    const std::size_t size = numbered_lines(begin, begin + 600).size();
    std::filesystem::resize_file(log("app.log"), size + (within_line ? 7 : 0));
    if (follower) settle();
    append("app.log", (within_line ? "\n" : "") + numbered_lines(begin + 2000, begin + 2100));
    mine_then();
    append("app.log", numbered_lines(begin + 2100, begin + 2200));
    mine_then();
    EXPECT_EQ(totals().selected, 1200U + (within_line ? 1200U : 0U));
    EXPECT_THAT(possible_losses(), testing::Contains("app.log"));
    EXPECT_THAT(possible_twices(), IsEmpty());
    if (GetParam().down) follower.reset();
  }
}

TEST_P(Generations, ACopyEndsDifferently) {
  mine_first(numbered_lines(0, 1000));
  remove("app.log");
  if (follower) settle();
  pass(70s);
  if (follower) settle();
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 900) + numbered_lines(3000, 3100)));
  expect_mined(numbers_and(1000, 3000, 3100));
  EXPECT_THAT(possible_losses(), testing::Contains("app.log.1.gz"));
}

TEST_P(Generations, ACopyEndsWithinAnotherLine) {
  mine_first(numbered_lines(0, 1000) + "[[18");
  write("app.log.1", numbered_lines(0, 1000) + "[[19");
  expect_mined(numbers(0, 1000));
  EXPECT_THAT(possible_twices(), IsEmpty());
}

TEST_P(Generations, ACopyHoldsMoreThanTheLogThatWasCut) {
  mine_first(numbered_lines(0, 100));
  append("app.log", numbered_lines(100, 600) + "[[18");
  if (follower) settle();
  write("app.log.1", numbered_lines(0, 1000));
  expect_mined(numbers(0, 1000));
  write("app.log.2.gz", packed("gzip", numbered_lines(0, 1000)));
  mine_then();
  std::filesystem::resize_file(log("app.log"), numbered_lines(0, 50).size());
  append("app.log", numbered_lines(2000, 2100));
  expect_mined(numbers_and(1000, 2000, 2100));
  EXPECT_THAT(possible_twices(), IsEmpty());
}

// Of a log that was copied and cut before it was seen, and of two logs that begin alike.
TEST_P(Generations, TwoThatBeginAlikeMayCountTwice) {
  for (const int shared : {1, 100}) {
    SCOPED_TRACE(shared);
    const int begin = 10'000 * shared;
    const std::string name = "app.log." + std::to_string(shared);
    const std::string beginning = numbered_lines(begin, begin + shared);
    const std::uint64_t before = totals().selected;
    write(name + "a", beginning + numbered_lines(begin + 1000, begin + 1010));
    write(name + "b", beginning + numbered_lines(begin + 2000, begin + 2005));
    mine_then();
    EXPECT_EQ(totals().selected, before + 15 + 2 * static_cast<std::uint64_t>(shared));
    EXPECT_THAT(possible_twices(), testing::Contains(name + "b"));
  }
  EXPECT_THAT(possible_losses(), IsEmpty());
}

// As copytruncate leaves it, when the next search is one that the log before began with.
TEST_P(Generations, AnEmptiedFileBeginsLikeTheLogBefore) {
  mine_first(numbered_lines(0, 1000));
  write("app.log.1", numbered_lines(0, 1000));
  std::filesystem::resize_file(log("app.log"), 0);
  mine_then();
  append("app.log", numbered_lines(0, 1));
  mine_then();
  append("app.log", numbered_lines(2000, 2010));
  mine_then();
  EXPECT_EQ(totals().selected, 1011U);
  EXPECT_THAT(possible_twices(), ElementsAre("app.log"));
}

// As `fallocate --punch-hole` does to make room, or an editor that writes to the file itself.
TEST_P(Generations, TheFirstBytesAreOverwritten) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{4096}}) {
    for (const std::size_t place : {0U, 90U}) {
      SCOPED_TRACE(std::to_string(count) + " at " + std::to_string(place));
      FollowedLogs logs;
      logs.write("app.log", numbered_lines(0, 1000));
      logs.settle();
      if (GetParam().down) logs.follower.reset();
      std::fstream file(logs.log("app.log"), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(place));
      file << std::string(count, '\0');
      file.close();
      expect_told_of_lines_twice(logs);
    }
  }
}

// As `sed -i` does.
TEST_P(Generations, TheFirstLineIsReplaced) {
  for (const int begin : {2000, 200'000}) {
    SCOPED_TRACE(begin);
    FollowedLogs logs;
    logs.write("app.log", numbered_lines(1, 1000));
    logs.settle();
    if (GetParam().down) logs.follower.reset();
    logs.write("new", numbered_lines(begin, begin + 1) + numbered_lines(2, 1000));
    logs.rename("new", "app.log");
    expect_told_of_lines_twice(logs);
  }
}

// All that was mined in the last MiB is known line by line, however it was read.
TEST_P(Generations, ALogIsCutBackByNearlyAMebibyteAndGoesOn) {
  mine_first(numbered_lines(0, 33'000));
  write("app.log", numbered_lines(0, 5'000) + numbered_lines(40'000, 40'010));
  std::vector<int> all = numbers(0, 33'000);
  for (const int number : numbers(40'000, 40'010)) all.push_back(number);
  expect_mined(all);
  EXPECT_THAT(possible_twices(), IsEmpty());
}

// As rsync does, and whoever writes a new file and renames it.
TEST_P(Generations, ALogIsReplacedByALongerVersionOfIt) {
  mine_first(numbered_lines(0, 50));
  for (int end = 100; end <= 250; end += 50) {
    write("new", numbered_lines(0, end));
    rename("new", "app.log");
    mine_then();
    if (follower) pass(70s);
  }
  expect_mined(numbers(0, 250));
  EXPECT_THAT(possible_twices(), IsEmpty());
}

// The sound members before the damage are read, although a mark of the log lies behind it.
TEST_P(Generations, ADamagedLogBeginsAsOneThatIsGone) {
  mine_first(numbered_lines(0, 1000));
  remove("app.log");
  std::string members;
  for (int begin = 0; begin < 400; begin += 100)
    members +=
        packed("gzip", begin == 0 ? numbered_lines(0, 100) : numbered_lines(2000 + begin, 2100 + begin));
  members[members.size() - 100] ^= 1;
  write("app.log.1.gz", members);
  pass(70s);
  mine_then();
  EXPECT_THAT(mined(), testing::IsSupersetOf(numbers(2100, 2300)));
}

TEST_P(Generations, ADamagedCopyOfALogThatIsGoneHoldsNothingNew) {
  mine_first(numbered_lines(0, 300));
  remove("app.log");
  std::string members = packed("gzip", numbered_lines(0, 100)) + packed("gzip", numbered_lines(100, 200));
  members[members.size() - 6] ^= 1;  // of the checksum
  write("app.log.1.gz", members + packed("gzip", numbered_lines(200, 300)));
  pass(70s);
  expect_mined(numbers(0, 300));
  EXPECT_THAT(possible_twices(), IsEmpty());
}

// The copy holds less than was mined of the log that it was made of, and all of the one before.
TEST_P(Generations, ALogIsCutWhoseBeginningIsAnotherThatIsGone) {
  write("app.log.2", numbered_lines(0, 10));
  mine_first(numbered_lines(0, 10));
  write("new", numbered_lines(0, 100));
  rename("new", "app.log");
  mine_then();
  remove("app.log.2");
  std::filesystem::copy_file(log("app.log"), log("app.log.1"));
  append("app.log", numbered_lines(100, 120));
  mine_then();
  std::filesystem::resize_file(log("app.log"), numbered_lines(0, 40).size());
  expect_mined(numbers(0, 120));
}

// The copy often has the inode of the log that is gone, and is taken after the log that it copies.
TEST_P(Generations, ACopyTakesTheInodeOfABeginningThatIsGone) {
  mine_first(numbered_lines(0, 10));
  rename("app.log", "app.log.2");
  write("app.log", numbered_lines(0, 100));
  mine_then();
  remove("app.log.2");
  std::filesystem::copy_file(log("app.log"), log("app.log.1"));
  append("app.log", numbered_lines(100, 120));
  expect_mined(numbers(0, 120));
}

// That one is not opened, as nothing beside it is read.
TEST_P(Generations, AFileElsewhereBeginsWithALogThatIsThere) {
  sample.mine({sample.folder.write("elsewhere.log", numbered_lines(0, 10))});
  write("app.log", numbered_lines(0, 10));
  expect_mined(numbers(0, 10));
  append("app.log", numbered_lines(10, 12));
  expect_mined(numbers(0, 12));
  EXPECT_THAT(possible_twices(), IsEmpty());
}

// It may be the beginning of any log, but the loss is its own.
TEST_P(Generations, ALogIsCutWithinItsFirstLine) {
  write("app.log.other", numbered_lines(0, 40));
  mine_first(numbered_lines(0, 1) + numbered_lines(50, 60));
  std::filesystem::resize_file(log("app.log"), 3);
  mine_then();
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
}

TEST_P(Generations, AFileElsewhereBeginsLikeALogThatIsThere) {
  sample.mine({sample.folder.write("elsewhere.log", numbered_lines(0, 10))});
  write("app.log", numbered_lines(0, 1) + numbered_lines(20, 22));
  mine_then();
  EXPECT_EQ(totals().lines, 13U);
  EXPECT_THAT(possible_twices(), ElementsAre("app.log"));
}

// Of two files that begin with a part of the log before, the one that lost something is the beginning of the
// other.
TEST_P(Generations, ACutLogIsCopiedAndCutAgain) {
  mine_first(numbered_lines(0, 100));
  write("app.log.2.gz", packed("gzip", numbered_lines(0, 100)));
  std::filesystem::resize_file(log("app.log"), numbered_lines(0, 60).size());
  append("app.log", numbered_lines(100, 140));
  std::filesystem::copy_file(log("app.log"), log("app.log.1"));
  std::filesystem::resize_file(log("app.log"), (numbered_lines(0, 60) + numbered_lines(100, 120)).size());
  mine_then();
  pass(70s);
  // The tool takes the longest log first, and then knows no more whose copy it is.
  if (GetParam().one_shot) {
    EXPECT_THAT(possible_twices(), ElementsAre("app.log.1"));
    return;
  }
  expect_mined(numbers(0, 140));
  append("app.log", numbered_lines(140, 150));
  mine_then();
  expect_mined(numbers(0, 150));
}

TEST_P(Generations, AFileHoldsOneLineOfALogThatIsGone) {
  mine_first(numbered_lines(0, 1000));
  remove("app.log");
  if (follower) settle();
  pass(70s);
  if (follower) settle();
  write("app.log.1", numbered_lines(0, 1));
  mine_then();
  pass(70s);
  expect_mined(numbers(0, 1000));
  EXPECT_THAT(possible_losses(), ElementsAre("app.log.1"));
}

TEST_P(Generations, APackedOneThatWasReadToItsEndHidesNothing) {
  mine_first("");
  write("app.log.1.gz", packed("gzip", numbered_lines(0, 10)));
  mine_then();
  remove("app.log.1.gz");
  if (GetParam().down) follower.reset();
  write("app.log.1.gz", packed("gzip", numbered_lines(10, 20)));
  expect_mined(numbers(0, 20));
  EXPECT_THAT(possible_losses(), IsEmpty());
}

// Of lines that are far from the end, only marks are kept.
TEST_P(Generations, ALongLogIsCutBackFar) {
  mine_first(numbered_lines(0, 300'000));
  std::filesystem::resize_file(log("app.log"), numbered_lines(0, 150'000).size());
  append("app.log", numbered_lines(400'000, 400'010));
  mine_then();
  EXPECT_THAT(possible_twices(), ElementsAre("app.log"));
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
  EXPECT_GE(totals().selected, 300'010U);
}

TEST_P(Generations, ALongLogIsCopiedAndCut) {
  constexpr int lines = sampled(300'000);
  mine_first(numbered_lines(0, lines));
  write("app.log.1", numbered_lines(0, lines - 10));
  std::filesystem::resize_file(log("app.log"), 0);
  append("app.log", numbered_lines(400'000, 400'010));
  expect_mined(numbers_and(lines, 400'000, 400'010));
  EXPECT_THAT(possible_twices(), IsEmpty());
}

// Fault 30.
TEST_P(Generations, AGoodCopyComesAfterADamagedOne) {
  const std::string early = numbered_lines(0, 500);
  const std::string late = numbered_lines(500, 5'000);
  const auto mine_all = [&](FollowedLogs& logs) {
    if (!GetParam().one_shot) return logs.settle();
    logs.sample.mine(paths_in(logs.log("")));
  };
  for (const std::string tool : {"gzip", "zstd -q"}) {
    for (const bool in_members : {false, true}) {
      for (const std::string good : {"app.log.1.gz", "app.log.2.gz", "app.log.1"}) {
        SCOPED_TRACE(tool + ' ' + good + (in_members ? " members" : ""));
        FollowedLogs logs;
        const std::string first = in_members ? packed(tool, early) : "";
        std::string rest = packed(tool, in_members ? late : early + late);
        const std::string whole = first + rest;
        rest[rest.size() - (tool == "gzip" ? 8 : 1)] ^= 0x55;
        logs.write("app.log.1.gz", first + rest);
        mine_all(logs);
        EXPECT_EQ(logs.mined(), in_members ? numbers(0, 500) : numbers(0, 0));
        if (GetParam().down) logs.restart();
        logs.write(good, good.ends_with(".gz") ? whole : early + late);
        mine_all(logs);
        EXPECT_EQ(logs.wrong_lines(5'000), "");
        EXPECT_EQ(logs.totals().lines, 5'000U);
        EXPECT_THAT(logs.possible_losses(), IsEmpty());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Generations,
                         testing::Values(Cut{"followed", false, false}, Cut{"restarted", true, false},
                                         Cut{"mined", true, true}),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace qdedup::iteration
