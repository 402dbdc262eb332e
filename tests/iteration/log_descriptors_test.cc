// LogFollower with few descriptors.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>

#include "tests/iteration/log_following.h"
#include "tests/support/file_lease.h"

namespace qdedup::iteration {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LogDescriptors : public LogFollowing {};

TEST_F(LogDescriptors, FewDescriptorsAreEnough) {
  options.max_open_files = 4;
  restart();
  for (int i = 0; i < 30; ++i) {
    write("app.log." + std::to_string(i), numbered_lines(100 * i, 100 * i + 50));
  }
  settle();
  for (int i = 0; i < 30; ++i) {
    append("app.log." + std::to_string(i), numbered_lines(100 * i + 50, 100 * i + 100));
  }
  settle();
  expect_all(0, 3000);
  expect_no_loss();
}

TEST_F(LogDescriptors, CopiesAreClosedBeforeLogs) {
  options.max_open_files = 4;
  restart();
  write("app.log", numbered_lines(0, 10));
  turns();
  for (int i = 1; i < 10; ++i) {
    pass(1s);
    write("app.log.copy" + std::to_string(i), numbered_lines(0, i));
    turns();
  }
  const auto is_open = [](const auto& entry) { return entry.second.file != nullptr; };
  EXPECT_EQ(follower->logs().size(), 10U);
  EXPECT_LE(std::ranges::count_if(follower->logs(), is_open), 4);
  rename("app.log", "old");
  append("old", numbered_lines(10, 12));
  turns();
  expect_all(0, 12);
  expect_no_loss();
}

// As ext4 does at once.
TEST_F(LogDescriptors, ALogWithTheInodeOfOneThatWasClosedIsAnotherOne) {
  options.max_open_files = 1;
  restart();
  for (int i = 0; i < 4; ++i) write("app.log." + std::to_string(i), numbered_lines(10 * i, 10 * i + 10));
  settle();
  const auto closed =
      std::ranges::find_if(follower->logs(), [](const auto& entry) { return entry.second.file == nullptr; });
  ASSERT_NE(closed, follower->logs().end());
  std::filesystem::remove(closed->second.path);
  int made = 0;
  const auto is_reused = [&] { return logs::signature_of(log("new"))->identity == closed->first; };
  for (write("new", numbered_lines(40, 50)); made < 200 && !is_reused(); ++made) {
    rename("new", "other" + std::to_string(made));
    write("new", numbered_lines(40, 50));
  }
  if (!is_reused() || closed->second.seen.born_ns == 0)
    GTEST_SKIP() << "the inode is not reused, or has no birth";
  rename("new", "app.log.new");
  settle();
  expect_all(0, 50);
  expect_no_loss();
}

// Whether there are descriptors for it or not, what cannot be opened is reported once.
TEST_F(LogDescriptors, ALogThatStaysShutIsReportedOnce) {
  for (const std::size_t max_open_files : {std::size_t{2}, std::size_t{100}}) {
    options.max_open_files = max_open_files;
    restart();
    for (int i = 0; i < 4; ++i) write("app.log." + std::to_string(i), numbered_lines(10 * i, 10 * i + 10));
    {
      const FileLease lease(log("app.log.3"));
      settle();
      EXPECT_THAT(news(LogNews::Kind::problem), ElementsAre("app.log.3"));
      for (int i = 0; i < 5; ++i) {
        append("app.log.1", numbered_lines(100 + i, 101 + i));
        settle();
        EXPECT_THAT(follower->take_news(), IsEmpty());
      }
    }
    settle();
    EXPECT_THAT(news(LogNews::Kind::solved), ElementsAre("app.log.3"));
    EXPECT_THAT(follower->problems(), IsEmpty());
  }
}

}  // namespace
}  // namespace qdedup::iteration
