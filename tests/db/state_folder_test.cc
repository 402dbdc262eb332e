#include "db/state_folder.h"

#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

TEST(StateLock, OnlyOneHasIt) {
  const TemporaryFolder temporary;
  const StateFolder folder(temporary.path().string());
  const Result<StateLock> first = StateLock::acquire(folder);
  ASSERT_TRUE(first.ok());
  const Result<StateLock> second = StateLock::acquire(folder);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::busy);
}

TEST(StateLock, IsGivenBack) {
  const TemporaryFolder temporary;
  const StateFolder folder(temporary.path().string());
  { const Result<StateLock> first = StateLock::acquire(folder); }
  EXPECT_TRUE(StateLock::acquire(folder).ok());
}

TEST(StateLock, MovesWithItsObject) {
  const TemporaryFolder temporary;
  const StateFolder folder(temporary.path().string());
  Result<StateLock> first = StateLock::acquire(folder);
  ASSERT_TRUE(first.ok());
  {
    const StateLock moved = *std::move(first);
    EXPECT_FALSE(StateLock::acquire(folder).ok());
  }
  EXPECT_TRUE(StateLock::acquire(folder).ok());
}

TEST(StateLock, AFolderThatIsMissingIsNotMade) {
  const TemporaryFolder temporary;
  const Result<StateLock> lock = StateLock::acquire(StateFolder(temporary / "state"));
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().code, ErrorCode::cannot_create);
  EXPECT_FALSE(std::filesystem::exists(temporary / "state"));
}

}  // namespace
}  // namespace qdedup::db
