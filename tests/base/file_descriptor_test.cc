#include "base/file_descriptor.h"

#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup {
namespace {

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

}  // namespace
}  // namespace qdedup
