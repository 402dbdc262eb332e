#include "logs/glob.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <glob.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/descriptor_limit.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::logs {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<std::string> by_glob_3(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return paths;
}

class RandomFolder {
 public:
  explicit RandomFolder(unsigned seed) : random_(seed) {}

  template <class Value>
  const Value& choose(const std::vector<Value>& values) {
    return values[random_() % values.size()];
  }

  void fill(const std::filesystem::path& folder, int depth) {
    for (std::size_t left = random_() % 6; left > 0; --left) {
      const std::filesystem::path path = folder / choose(names_);
      if (std::filesystem::symlink_status(path).type() != std::filesystem::file_type::not_found) continue;
      switch (random_() % 4) {
        case 0:
          std::filesystem::create_symlink(choose(names_), path);
          break;
        case 1:
          std::ofstream(path).flush();
          break;
        default:
          std::filesystem::create_directory(path);
          if (depth > 0) fill(path, depth - 1);
      }
    }
  }

  std::string pattern() {
    std::string pattern;
    for (std::size_t left = 1 + random_() % 3; left > 0; --left) {
      pattern += choose(patterns_);
      if (left > 1) pattern += '/';
    }
    return pattern;
  }

 private:
  std::mt19937 random_;
  std::vector<std::string> names_ = {"a",  "b",   "ab", "a.log", "b.log", ".a",
                                     "a*", "[a]", "题", "\xFF",  "a b"};
  std::vector<std::string> patterns_ = {"*",     "a",      "b",    "?",  "*.log", "a*", ".*a",   "[ab]",
                                        "[!a]*", "\\a\\*", "a\\*", "**", "[a",    "题", "[[]a]", "none"};
};

class ExpandedGlobs : public ::testing::TestWithParam<unsigned> {};

TEST_P(ExpandedGlobs, AreThoseOfTheCLibrary) {
  const TemporaryFolder folder;
  RandomFolder random(GetParam());
  random.fill(folder.path(), 2);
  for (int tries = 0; tries < 200; ++tries) {
    const std::string pattern = folder / random.pattern();
    EXPECT_THAT(*expand_glob(pattern), UnorderedElementsAreArray(by_glob_3(pattern))) << pattern;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExpandedGlobs, ::testing::Range(0U, 10U));

// For root, who may read everything, as somebody else.
TEST(ExpandedGlob, NamesWhatMayNotBeRead) {
  const TemporaryFolder folder;
  for (const char* inner : {"closed", "listed"}) std::filesystem::create_directory(folder / inner);
  const std::string log = folder.write("listed/a.log", "");
  folder.write("closed/b.log", "");
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod((folder / "listed").c_str(), ::geteuid() == 0 ? 0744 : 0644), 0);
  ASSERT_EQ(::chmod((folder / "closed").c_str(), ::geteuid() == 0 ? 0700 : 0), 0);
  constexpr uid_t nobody = 65534;
  const bool is_other = ::geteuid() == 0 && ::seteuid(nobody) == 0;
  const auto paths = expand_glob(folder / "*/*.log");
  const auto by_name = expand_glob(folder / "closed/b.log");
  const bool is_back = !is_other || ::seteuid(0) == 0;
  for (const char* inner : {"closed", "listed"}) ::chmod((folder / inner).c_str(), 0755);
  ASSERT_TRUE(is_back);
  EXPECT_THAT(*paths, UnorderedElementsAre(log, folder / "closed/*.log"));
  EXPECT_THAT(*by_name, ElementsAre(folder / "closed/b.log"));
}

TEST(ExpandedGlob, IsAnErrorWithoutDescriptors) {
  const TemporaryFolder folder;
  folder.write("a.log", "");
  const auto paths = [&] {
    const DescriptorLimit none(0);
    return expand_glob(folder / "*.log");
  }();
  ASSERT_FALSE(paths.ok());
  EXPECT_EQ(paths.error().code, ErrorCode::busy);
}

TEST(ExpandedGlob, IsWrittenLikeTheGlob) {
  const TemporaryFolder folder;
  folder.write("a.log", "");
  std::filesystem::create_directory(folder / "inner");
  folder.write("inner/b.log", "");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const std::string pattern : {"*.log", "./*.log", ".//*.log", "a.log", "inner//*.log", "*//b.log"}) {
    EXPECT_THAT(*expand_glob(pattern), UnorderedElementsAreArray(by_glob_3(pattern))) << pattern;
  }
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace qdedup::logs
