#include "logs/log_watch.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/descriptor_limit.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::logs {
namespace {

class Watching : public testing::Test {
 protected:
  // Whether something happened since this was asked last.
  bool happened() {
    const bool answer = watch_.drain();
    if (answer) watch_.update(globs_);
    watch_.drain();  // that some watches end is news as well
    return answer;
  }

  void follow(const std::vector<std::string>& names) {
    for (const std::string& name : names) globs_.push_back(folder_ / name);
    watch_.update(globs_);
    watch_.drain();
  }

  TemporaryFolder folder_;
  std::vector<std::string> globs_;
  LogWatch watch_;
};

TEST_F(Watching, TellsOfWhatMatches) {
  follow({"*.log"});
  EXPECT_TRUE(watch_.complete());
  EXPECT_GE(watch_.descriptor(), 0);
  EXPECT_FALSE(happened());
  const std::string log = folder_.write("a.log", "one\n");
  EXPECT_TRUE(happened());
  folder_.append("a.log", "two\n");
  EXPECT_TRUE(happened());
  std::filesystem::rename(log, folder_ / "a.log.1");
  EXPECT_TRUE(happened());
  EXPECT_FALSE(happened());
}

TEST_F(Watching, IsSilentAboutOtherFiles) {
  follow({"*.log"});
  folder_.write("a.txt", "one\n");
  folder_.write(".a.log", "one\n");
  EXPECT_FALSE(happened());
}

TEST_F(Watching, TellsOfPermissionsAndRemoval) {
  const std::string log = folder_.write("a.log", "one\n");
  follow({"a.log"});
  std::filesystem::permissions(log, std::filesystem::perms::none);
  EXPECT_TRUE(happened());
  std::filesystem::remove(log);
  EXPECT_TRUE(happened());
}

TEST_F(Watching, FoldersMayComeGoAndComeBack) {
  follow({"x/y/*.log"});
  EXPECT_TRUE(watch_.complete());
  for (int round = 0; round < 4; ++round) {
    std::filesystem::create_directories(folder_ / "x/y");
    EXPECT_TRUE(happened());
    folder_.write("x/y/a.log", "one\n");
    EXPECT_TRUE(happened());
    if (round % 2 == 0) std::filesystem::remove_all(folder_ / "x");
    if (round % 2 == 1) std::filesystem::rename(folder_ / "x", folder_ / std::to_string(round));
    EXPECT_TRUE(happened());
  }
}

TEST_F(Watching, WildcardsInNamesOfFolders) {
  follow({"app-*/log/*.log"});
  std::filesystem::create_directories(folder_ / "other/log");
  folder_.write("other/log/a.log", "");
  EXPECT_FALSE(happened());
  std::filesystem::create_directory(folder_ / "app-1");
  EXPECT_TRUE(happened());
  std::filesystem::create_directory(folder_ / "app-1/log");
  EXPECT_TRUE(happened());
  folder_.write("app-1/log/a.log", "");
  EXPECT_TRUE(happened());
}

TEST_F(Watching, OneFolderByTwoPaths) {
  std::filesystem::create_directories(folder_ / "logs/old");
  std::filesystem::create_directory_symlink(folder_ / "logs", folder_ / "link");
  follow({"logs/*.log", "link/old/*.log"});
  EXPECT_TRUE(watch_.complete());
  folder_.write("logs/a.log", "one\n");
  EXPECT_TRUE(happened());
  folder_.append("logs/a.log", "two\n");
  EXPECT_TRUE(happened());
}

TEST_F(Watching, OtherGlobsEndTheOldOnes) {
  follow({"*.log"});
  watch_.update({folder_ / "none/*.txt"});
  watch_.drain();
  folder_.write("a.log", "");
  EXPECT_FALSE(watch_.drain());
  watch_.update({});
  watch_.drain();
  std::filesystem::create_directory(folder_ / "none");
  EXPECT_FALSE(watch_.drain());
}

// Fault 19.
TEST_F(Watching, TellsOfAnOverflow) {
  follow({"*.log"});
  std::string from = folder_.write("a.txt", "");  // which alone does not matter
  std::string to = folder_ / "b.txt";
  for (int i = 0; i < 10'000; ++i) {
    std::filesystem::rename(from, to);
    std::swap(from, to);
  }
  EXPECT_TRUE(happened());
  EXPECT_FALSE(happened());
}

// Fault 19.
TEST(LogWatch, WithoutInotifyIsAState) {
  LogWatch watch = [] {
    const DescriptorLimit none(0);
    return LogWatch();
  }();
  EXPECT_EQ(watch.descriptor(), -1);
  watch.update({"/tmp/*.log"});
  EXPECT_FALSE(watch.complete());
  EXPECT_FALSE(watch.drain());
}

}  // namespace
}  // namespace qdedup::logs
