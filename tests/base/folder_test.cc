#include "base/folder.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(Folder, ListsFilesFoldersAndLinksOfAnyName) {
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

TEST(Folder, SaysWhatCannotBeListed) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder / "none", folder.write("file", ""), std::string()}) {
    const auto names = names_in(path);
    ASSERT_FALSE(names.ok()) << path;
    EXPECT_THAT(names.error().message, HasSubstr(path));
  }
}

}  // namespace
}  // namespace qdedup
