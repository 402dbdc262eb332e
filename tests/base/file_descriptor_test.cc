#include "base/file_descriptor.h"

#include <filesystem>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(ReadAtMost, ReadsTheFileOrItsBeginning) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", std::string("ab\0cd", 5));
  for (const std::size_t most : {0U, 3U, 5U, 100U}) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));  // NOLINT(*-vararg)
    EXPECT_EQ(*read_at_most(file, path, most), std::string("ab\0cd", 5).substr(0, most));
  }
}

TEST(ReadAtMost, NamesTheFileThatCannotBeRead) {
  const auto read = read_at_most(FileDescriptor(), "key", 1);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, "key: Bad file descriptor");
}

TEST(NamesIn, ListsFilesFoldersAndLinksOfAnyName) {
  const TemporaryFolder folder;
  EXPECT_THAT(*names_in(folder.path().string()), IsEmpty());
  const std::string bytes = "\xFF\n *";
  folder.write(bytes, "");
  folder.write(".hidden", "");
  std::filesystem::create_directory(folder / "inner");
  folder.write("inner/further", "");
  std::filesystem::create_symlink("nowhere", folder / "link");
  EXPECT_THAT(*names_in(folder.path().string()), UnorderedElementsAre(bytes, ".hidden", "inner", "link"));
}

TEST(NamesIn, SaysWhatCannotBeListed) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder / "none", folder.write("file", ""), std::string()}) {
    const auto names = names_in(path);
    ASSERT_FALSE(names.ok()) << path;
    EXPECT_THAT(names.error().message, HasSubstr(path));
  }
}

}  // namespace
}  // namespace qdedup
