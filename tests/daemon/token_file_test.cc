#include "daemon/token_file.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

class TokenFile : public testing::Test {
 protected:
  std::string write(std::string_view content, mode_t mode = 0600) {
    std::string path = folder_.write("token", content);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(TokenFile, IsReadWithoutTheWhiteSpaceRoundIt) {
  EXPECT_EQ(*read_token_file(write("secret")), "secret");
  EXPECT_EQ(*read_token_file(write(" secret\r\n", 0400)), "secret");
}

TEST_F(TokenFile, IsItsOwnersAlone) {
  for (const mode_t mode : {0640U, 0604U, 0620U, 0610U, 0602U, 0601U, 0666U}) {
    const Result<std::string> read = read_token_file(write("secret", mode));
    ASSERT_FALSE(read.ok()) << mode;
    EXPECT_EQ(read.error().code, ErrorCode::config);
    EXPECT_THAT(read.error().message, AllOf(HasSubstr("token"), HasSubstr("0600")));
  }
}

TEST_F(TokenFile, HoldsAToken) {
  EXPECT_THAT(read_token_file(write("")).error().message, EndsWith("holds no token"));
  EXPECT_THAT(read_token_file(write("\n\n")).error().message, EndsWith("holds no token"));
  EXPECT_THAT(read_token_file(write(std::string(5000, 'a'))).error().message,
              EndsWith("too long for a token"));
}

TEST_F(TokenFile, IsARegularFile) {
  EXPECT_EQ(read_token_file(folder_ / "missing").error().code, ErrorCode::no_input);
  EXPECT_EQ(read_token_file(folder_.path().string()).error().code, ErrorCode::config);
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_token_file(folder_ / "fifo").error().code, ErrorCode::config);
}

}  // namespace
}  // namespace qdedup::daemon
