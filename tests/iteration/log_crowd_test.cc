// LogFollower with many logs that begin with the same lines.

#include <cstddef>
#include <ostream>
#include <string>

#include <gmock/gmock.h>

#include "tests/iteration/log_following.h"

namespace qdedup::iteration {
namespace {

constexpr int first_own_line = 1'000;

struct Crowd {
  const char* name;
  int shared;           // lines that all begin with
  int own;              // lines of each alone
  const char* command;  // that packs them; nullptr: plain
  bool is_gone;         // each leaves the globs before the next one comes
};

void PrintTo(const Crowd& crowd, std::ostream* out) { *out << crowd.name; }

class LogCrowd : public testing::TestWithParam<Crowd> {
 protected:
  static void write(const FollowedLogs& logs, int number) {
    const Crowd& crowd = GetParam();
    const int begin = first_own_line + number * crowd.own;
    const std::string lines = numbered_lines(0, crowd.shared) + numbered_lines(begin, begin + crowd.own);
    const std::string name = "app.log." + std::to_string(number);
    crowd.command == nullptr ? logs.write(name, lines)
                             : logs.write(name + ".gz", packed(crowd.command, lines));
  }

  // How often files are read until all of them are mined.
  static std::size_t reads(int files) {
    std::size_t count = 0;
    FollowedLogs logs;
    logs.sample.files = logs::Files({}, [&] { ++count; });
    logs.options.max_open_files = 10;
    logs.restart();
    for (int number = 0; number < files; ++number) {
      write(logs, number);
      if (!GetParam().is_gone) continue;
      logs.settle();
      const std::string log = "app.log." + std::to_string(number);
      logs.rename(log + (GetParam().command == nullptr ? "" : ".gz"), "old." + std::to_string(number));
    }
    logs.settle();
    EXPECT_GE(logs.totals().lines, static_cast<std::uint64_t>(files * GetParam().own));
    return count;
  }
};

TEST_P(LogCrowd, TakesReadsInProportionToTheFiles) { EXPECT_LT(reads(80), 3 * reads(40)); }

INSTANTIATE_TEST_SUITE_P(
    Kinds, LogCrowd,
    testing::Values(Crowd{"one_line", 1, 10, nullptr, false}, Crowd{"several_lines", 60, 10, nullptr, false},
                    Crowd{"long_logs", 60, 3'000, nullptr, false}, Crowd{"packed", 60, 10, "gzip", false},
                    Crowd{"gone", 60, 10, nullptr, true}, Crowd{"packed_and_gone", 60, 3'000, "gzip", true}),
    [](const auto& crowd) { return std::string(crowd.param.name); });

class LogTurns : public LogFollowing {};

TEST_F(LogTurns, ALogThatGrowsIsReadWhileManyNewOnesWait) {
  write("app.log", numbered_lines(0, 10));
  restart();
  settle();
  for (int number = 0; number < 300; ++number) {
    write("app.log." + std::to_string(number), numbered_lines(1'000 + number, 1'001 + number));
  }
  EXPECT_TRUE(must(follower->turn()).more);
  append("app.log", numbered_lines(10, 20));
  EXPECT_TRUE(must(follower->turn()).more);
  EXPECT_THAT(mined(), testing::IsSupersetOf(numbers(0, 20)));
  EXPECT_LT(mined().size(), 320U);
  settle();
  EXPECT_EQ(totals().selected, 320U);
  EXPECT_THAT(follower->problems(), testing::IsEmpty());
}

}  // namespace
}  // namespace qdedup::iteration
