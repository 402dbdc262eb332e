#include "db/slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

TEST(Slots, AreRecordedOnceEachOldestFirst) {
  const TemporaryFolder folder;
  Result<Store> store = Store::open(StateFolder(folder.path().string()), Access::read_write);
  ASSERT_TRUE(store.ok());
  Slots slots(*store);
  for (const int at : {1'800'000'000, -5, 1'800'000'000}) {
    EXPECT_TRUE(slots.record(sys_seconds(seconds(at)), "2026-11-20T00:00:00Z").ok());
  }
  const auto recorded = slots.recorded();
  ASSERT_TRUE(recorded.ok());
  EXPECT_THAT(*recorded, testing::ElementsAre(sys_seconds(seconds(-5)), sys_seconds(seconds(1'800'000'000))));
}

}  // namespace
}  // namespace qdedup::db
