#include "db/store_writer.h"

#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "db/evidence.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

class StoreWriterTest : public testing::Test {
 protected:
  StoreWriter open() {
    Result<StoreWriter> writer = StoreWriter::open(state_);
    if (!writer.ok()) throw std::runtime_error(writer.error().message);
    return *std::move(writer);
  }

  static Result<std::int64_t> append(StoreWriter& writer, const std::string& path, std::uint64_t begin,
                                     std::uint64_t end, std::int64_t id = 0) {
    return writer.write([&](Store& store) {
      MinedStretch stretch;
      stretch.log.id = id;
      stretch.log.path = path;
      stretch.log.offset = end;
      stretch.begin_offset = begin;
      stretch.totals.lines = 1;
      stretch.totals.unselected = 1;
      return Evidence(store).append(stretch, "2026-11-20T00:00:00Z");
    });
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
};

TEST_F(StoreWriterTest, GivesOneThreadAfterTheOtherTheConnection) {
  StoreWriter writer = open();
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 25; ++i) EXPECT_TRUE(append(writer, "a.log", 0, 10).ok());
      });
    }
  }
  EXPECT_EQ(SqliteFile(state_.store_path()).query("SELECT count(*) FROM evidence"), "100");
}

TEST_F(StoreWriterTest, WhoWaitsForTheConnectionTellsSo) {
  StoreWriter writer = open();
  std::promise<void> waits;
  std::promise<void> begun;
  const auto waiting = std::this_thread::get_id();
  bool told = false;
  writer.on_activity([&](Activity) {
    if (std::this_thread::get_id() == waiting && !std::exchange(told, true)) waits.set_value();
  });
  std::jthread holder([&] {
    (void)writer.write([&](Store&) {
      begun.set_value();
      waits.get_future().wait();
      return Status();
    });
  });
  begun.get_future().wait();
  EXPECT_TRUE(append(writer, "a.log", 0, 10).ok());
}

TEST_F(StoreWriterTest, HasANewConnectionAfterAnError) {
  StoreWriter writer = open();
  SQLite::Database* first = nullptr;
  EXPECT_TRUE(writer.write([&](Store& store) { return first = &store.database(), Status(); }).ok());
  EXPECT_FALSE(writer.write([](Store&) { return Status(Error{ErrorCode::io, "disk full"}); }).ok());
  EXPECT_TRUE(append(writer, "a.log", 0, 10).ok());
}

TEST_F(StoreWriterTest, AStoreThatCannotBeOpenedAgainIsAnErrorUntilItCan) {
  StoreWriter writer = open();
  EXPECT_TRUE(append(writer, "a.log", 0, 10).ok());
  EXPECT_FALSE(writer.write([](Store&) { return Status(Error{ErrorCode::io, "disk full"}); }).ok());
  const std::string store = folder_.read("qdedup.db");
  folder_.write("qdedup.db", "");
  EXPECT_FALSE(append(writer, "b.log", 0, 10).ok());
  EXPECT_EQ(folder_.read("qdedup.db"), "");
  folder_.write("qdedup.db", store);
  EXPECT_TRUE(append(writer, "b.log", 0, 10).ok());
}

TEST_F(StoreWriterTest, AStretchThatWasMinedMeanwhileIsRefused) {
  StoreWriter writer = open();
  const Result<std::int64_t> log = append(writer, "a.log", 0, 10);
  ASSERT_TRUE(log.ok());
  const Result<std::int64_t> again = append(writer, "a.log", 0, 10, *log);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::busy);
  EXPECT_TRUE(append(writer, "a.log", 10, 20, *log).ok());
  EXPECT_EQ(SqliteFile(state_.store_path()).query("SELECT lines FROM log"), "2");
}

}  // namespace
}  // namespace qdedup::db
