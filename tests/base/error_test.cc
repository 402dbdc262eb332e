#include "base/error.h"

#include <cerrno>
#include <utility>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(Error, CodesAreThoseOfSysexits) {
  EXPECT_EQ(static_cast<int>(ErrorCode::usage), 64);
  EXPECT_EQ(static_cast<int>(ErrorCode::data), 65);
  EXPECT_EQ(static_cast<int>(ErrorCode::no_input), 66);
  EXPECT_EQ(static_cast<int>(ErrorCode::internal), 70);
  EXPECT_EQ(static_cast<int>(ErrorCode::cannot_create), 73);
  EXPECT_EQ(static_cast<int>(ErrorCode::io), 74);
  EXPECT_EQ(static_cast<int>(ErrorCode::busy), 75);
  EXPECT_EQ(static_cast<int>(ErrorCode::config), 78);
}

TEST(Error, GainsContextOnTheWayUp) {
  const Error error = Error{ErrorCode::data, "text is not UTF-8"}.within("row 17").within("bank.db");
  EXPECT_EQ(error.code, ErrorCode::data);
  EXPECT_EQ(error.message, "bank.db: row 17: text is not UTF-8");
}

TEST(ErrnoError, NamesTheSubjectAndTheReason) {
  EXPECT_EQ(errno_error("a.log", ENOENT).message, "a.log: No such file or directory");
}

TEST(ErrnoError, TellsMissingInputFromFailedInput) {
  for (const int number : {ENOENT, ENOTDIR, EACCES})
    EXPECT_EQ(errno_error("x", number).code, ErrorCode::no_input);
  for (const int number : {EIO, ENOSPC, EPERM}) EXPECT_EQ(errno_error("x", number).code, ErrorCode::io);
  for (const int number : {EMFILE, ENFILE}) EXPECT_EQ(errno_error("x", number).code, ErrorCode::busy);
}

}  // namespace
}  // namespace qdedup
