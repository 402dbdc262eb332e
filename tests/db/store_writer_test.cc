#include "db/store_writer.h"

#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "db/bank_import.h"
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

// A state whose bank was lost.
class LostBankTest : public StoreWriterTest {
 protected:
  LostBankTest() {
    (void)open();
    SqliteFile store(state_.store_path());
    EXPECT_EQ(store.query("INSERT INTO iteration VALUES "
                          "(1,'logs','','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')"),
              "");
  }

  void list(QuestionId question, QuestionId keeper, const std::string& status) {
    SqliteFile store(state_.store_path());
    EXPECT_EQ(store.query("INSERT INTO deletion VALUES (NULL, 1, " + std::to_string(question) + ", " +
                          std::to_string(keeper) + ", 0, 6, 'safe', '', 0, '" + status + "', 1, 2, '', 0)"),
              "");
  }

  std::shared_ptr<WritableState> make_anew() {
    auto state = open_writable_state(state_, nullptr, LostBank::make_anew);
    if (!state.ok()) throw std::runtime_error(state.error().message);
    return *std::move(state);
  }

  static Status load(WritableState& state, const std::vector<QuestionId>& ids) {
    std::vector<BankQuestion> questions;
    for (const QuestionId id : ids) questions.push_back({.id = id, .text = "text"});
    return BankImport::load_at_once(state.bank, "some", "2026-11-20T00:00:00Z", questions);
  }

  // As "missing of all"; empty if the bank is made.
  std::string missing(Bank& bank, Imported imported = Imported::some) {
    Result<Store> store = Store::open(state_, Access::read_only);
    if (!store.ok()) throw std::runtime_error(store.error().message);
    const auto needed = finish_lost_bank(bank, *store, imported);
    if (!needed.ok()) return needed.error().message;
    return *needed ? std::to_string((*needed)->missing) + " of " + std::to_string((*needed)->all) : "";
  }
};

TEST_F(LostBankTest, CountsAsInterruptedFromItsFirstByte) {
  EXPECT_FALSE(open_writable_state(state_).ok());
  EXPECT_TRUE(make_anew()->lost_bank);
  const auto later = open_writable_state(state_);
  ASSERT_TRUE(later.ok());
  EXPECT_FALSE((*later)->lost_bank);
  EXPECT_EQ(*(*later)->bank.interrupted_import(), "");
}

TEST_F(LostBankTest, IsMadeWhenNineTenthsOfWhatIsNeededAreThere) {
  for (QuestionId question = 31; question <= 35; ++question) list(question, question - 30, "pending");
  for (QuestionId question = 36; question <= 40; ++question) list(question, question - 30, "approved");
  list(41, 1, "pending");
  list(50, 49, "applied");
  list(60, 59, "rejected");
  list(70, 69, "withdrawn");
  const auto state = make_anew();
  EXPECT_EQ(missing(state->bank), "11 of 11");
  ASSERT_TRUE(load(*state, {1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 49, 59}).ok());
  EXPECT_EQ(missing(state->bank), "2 of 11");
  EXPECT_EQ(*state->bank.interrupted_import(), "");
  ASSERT_TRUE(load(*state, {9}).ok());
  EXPECT_EQ(missing(state->bank), "");
  EXPECT_FALSE(state->bank.interrupted_import()->has_value());
}

// 22 and 23 arrived, 23 near 22, which is near 2; 24 entered the bank near 23, and 25 near 4, which expired.
// 3 was kept by a further pair.
TEST_F(LostBankTest, NeedsWhatClassesRestOn) {
  SqliteFile store(state_.store_path());
  for (const char* rows :
       {"INSERT INTO arrived VALUES (22, 0, '', NULL, NULL, NULL, 0, 0, NULL), (23, 0, '', NULL, NULL, NULL, "
        "0, 0, NULL)",
        "INSERT INTO arrival_pair VALUES (22, 2, 0, 6, 'safe', '', 0, 1, 2, 0, 0), (23, 22, 0, 6, 'safe', "
        "'', "
        "0, 1, 2, 0, 0), (24, 23, 0, 6, 'safe', '', 0, 1, 2, 0, 0), (25, 4, 0, 6, 'safe', '', 0, 1, 2, 1, 0)",
        "INSERT INTO verified_pair VALUES (31, 3, 1, 0, 6, 'safe', '', 0, 1, 2, 0)"}) {
    ASSERT_EQ(store.query(rows), "");
  }
  const auto state = make_anew();
  ASSERT_TRUE(load(*state, {1}).ok());
  EXPECT_EQ(missing(state->bank), "4 of 4");
  ASSERT_TRUE(load(*state, {2, 3, 24}).ok());
  EXPECT_EQ(missing(state->bank), "1 of 4");
  ASSERT_TRUE(load(*state, {25}).ok());
  EXPECT_EQ(missing(state->bank), "");
}

TEST_F(LostBankTest, IsMadeWhereNoMoreIsToCome) {
  list(31, 30, "pending");
  const auto state = make_anew();
  ASSERT_TRUE(load(*state, {1}).ok());
  EXPECT_EQ(missing(state->bank, Imported::all_again), "1 of 1") << "nobody knew";
  EXPECT_EQ(missing(state->bank, Imported::some), "1 of 1");
  EXPECT_EQ(missing(state->bank, Imported::all_again), "");
  EXPECT_FALSE(state->bank.interrupted_import()->has_value());
}

TEST_F(LostBankTest, NamesInterruptedImportsBeforeIt) {
  const auto state = make_anew();
  const auto begin = [&](const char* source) {
    Result<BankImport> import = BankImport::begin(state->bank, source, "2026-11-20T00:00:00Z", 1);
    if (!import.ok()) throw std::runtime_error(import.error().message);
    return *std::move(import);
  };
  (void)begin("-");
  EXPECT_EQ(*state->bank.interrupted_import(), "-");
  BankImport all = begin("-");
  ASSERT_TRUE(all.put_all(std::vector{BankQuestion{.id = 1, .text = "text"}}, {}).ok());
  ASSERT_TRUE(all.finish("2026-11-20T00:00:00Z").ok());
  EXPECT_EQ(*state->bank.interrupted_import(), "");
  EXPECT_EQ(missing(state->bank), "");
  EXPECT_FALSE(state->bank.interrupted_import()->has_value());
}

}  // namespace
}  // namespace qdedup::db
