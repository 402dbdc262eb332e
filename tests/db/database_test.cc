// What becomes of qdedup.db and bank.db as files: made, opened again, refused.

#include "db/database.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "db/bank.h"
#include "db/store.h"
#include "db/wal_check.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

using testing::HasSubstr;

class DatabaseFile : public testing::Test {
 protected:
  void make() const {
    ASSERT_TRUE(Store::open(state_, Access::read_write).ok());
    ASSERT_TRUE(Bank::open(state_, Access::read_write).ok());
  }

  // Opening the store must fail, for a reason that says `why`, and must leave the file as it is.
  void expect_refused(const std::string& why) const {
    const std::string before = folder_.read("qdedup.db");
    for (const Access access : {Access::read_write, Access::read_only}) {
      const Result<Store> store = Store::open(state_, access);
      ASSERT_FALSE(store.ok());
      EXPECT_EQ(store.error().code, ErrorCode::data);
      EXPECT_THAT(store.error().message, HasSubstr(why));
      EXPECT_THAT(store.error().message, HasSubstr(state_.store_path()));
      EXPECT_THAT(store.error().message, HasSubstr("nothing was changed"));
    }
    EXPECT_EQ(folder_.read("qdedup.db"), before);
  }

  std::string query(const std::string& sql) const { return SqliteFile(state_.store_path()).query(sql); }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
};

TEST_F(DatabaseFile, IsWalWithFullSynchronisation) {
  make();
  EXPECT_EQ(query("PRAGMA journal_mode"), "wal");
  Result<Store> store = Store::open(state_, Access::read_write);
  ASSERT_TRUE(store.ok());
}

// After somebody has read for long while much was written.
TEST_F(DatabaseFile, GivesBackWhatItsWalTook) {
  make();
  Result<Bank> bank = Bank::open(state_, Access::read_write);
  ASSERT_TRUE(bank.ok());
  constexpr std::int64_t most = std::int64_t{256} << 20U;
  EXPECT_EQ(bank->database().execAndGet("PRAGMA journal_size_limit").getInt64(), most);
}

TEST_F(DatabaseFile, HasItsSchemaVersion) {
  make();
  EXPECT_EQ(query("PRAGMA user_version"), "21");
  EXPECT_EQ(query("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(SqliteFile(state_.bank_path()).query("PRAGMA user_version"), "6");
}

TEST_F(DatabaseFile, IsThereWholeFromItsFirstMoment) {
  make();
  EXPECT_FALSE(std::filesystem::exists(state_.store_path() + ".new"));
}

TEST_F(DatabaseFile, WhatAKilledCreationLeftIsNoObstacle) {
  folder_.write("qdedup.db.new", "half a database");
  make();
  EXPECT_EQ(query("PRAGMA integrity_check"), "ok");
}

TEST_F(DatabaseFile, ThatIsMissingIsNotMadeByAReader) {
  const Result<Store> store = Store::open(state_, Access::read_only);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, ErrorCode::no_input);
  EXPECT_FALSE(std::filesystem::exists(state_.store_path()));
}

TEST_F(DatabaseFile, ThatIsEmptyIsRefused) {
  folder_.write("qdedup.db", "");
  expect_refused("no SQLite database");
}

TEST_F(DatabaseFile, ThatIsZeroedIsRefused) {
  make();
  folder_.write("qdedup.db", std::string(folder_.read("qdedup.db").size(), '\0'));
  expect_refused("no SQLite database");
}

TEST_F(DatabaseFile, ThatIsCutIsRefused) {
  make();
  const std::string bytes = folder_.read("qdedup.db");
  folder_.write("qdedup.db", bytes.substr(0, bytes.size() / 2));
  expect_refused("was cut off");
}

// quick_check turns it into a row.
TEST_F(DatabaseFile, DamageThatSQLiteGotOverIsNotTheCauseOfALaterError) {
  make();
  constexpr std::size_t page_bytes = 4096;
  const std::string page = query("SELECT rootpage FROM sqlite_schema WHERE name = 'slot'");
  std::string bytes = folder_.read("qdedup.db");
  bytes.replace((std::stoul(page) - 1) * page_bytes, page_bytes, page_bytes, '\0');
  folder_.write("qdedup.db", bytes);
  Result<Store> store = Store::open(state_, Access::read_only);
  ASSERT_TRUE(store.ok()) << store.error().message;
  EXPECT_NE(store->database().execAndGet("PRAGMA quick_check").getString(), "ok");
  const Status other = guarded("qdedup.db", [] { throw SQLite::Exception("full", SQLITE_IOERR); });
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::io) << other.error().message;
}

TEST_F(DatabaseFile, OfAnotherProgramIsRefused) {
  { SqliteFile(state_.store_path(), nullptr).query("CREATE TABLE t (x)"); }
  expect_refused("another program");
}

TEST_F(DatabaseFile, OfANewerVersionIsRefused) {
  make();
  query("PRAGMA user_version = 22");
  expect_refused("newer qdedup (schema 22, this one knows up to 21)");
}

TEST_F(DatabaseFile, OfAnEarlierVersionIsRefused) {
  make();
  for (const int version : {19, 0, -1}) {
    query("PRAGMA user_version = " + std::to_string(version));
    expect_refused("earlier qdedup (schema " + std::to_string(version) + ", this one knows none before 20)");
  }
}

TEST_F(DatabaseFile, OfVersion20IsBroughtUpToDate) {
  make();
  const std::string open = " WHERE status IN ('pending', 'approved', 'applied')";
  query("DROP INDEX deletion_open");
  query("CREATE UNIQUE INDEX deletion_open ON deletion (question_id)" + open);
  query("DROP INDEX deletion_open_keeper");
  query("CREATE INDEX deletion_open_keeper ON deletion (keep_id)" + open);
  query("PRAGMA user_version = 20");
  EXPECT_FALSE(Store::open(state_, Access::read_only).ok());
  make();
  EXPECT_EQ(query("PRAGMA user_version"), "21");
  EXPECT_TRUE(Store::open(state_, Access::read_only).ok());  // which compares the schema
}

TEST_F(DatabaseFile, OfAVersionWithoutChecksumsIsRefused) {
  SqliteFile(state_.store_path(), nullptr)
      .query("PRAGMA application_id = 1902404723; CREATE TABLE log (id); PRAGMA user_version = 6");
  expect_refused("earlier qdedup (schema 6");
}

TEST_F(DatabaseFile, OfAnOlderVersionIsBroughtUpToDateByTheFirstWriter) {
  const std::string path = (folder_.path() / "some.db").string();
  const Schema first{1, 3, "CREATE TABLE a (x)"};
  ASSERT_TRUE(open_database(path, first, Access::read_write).ok());
  constexpr std::array steps = {"CREATE TABLE b (x)", "INSERT INTO b VALUES (5)"};
  const Schema later{1, 3, "CREATE TABLE a (x)", steps};
  const Result<SQLite::Database> reader = open_database(path, later, Access::read_only);
  ASSERT_FALSE(reader.ok());
  EXPECT_THAT(reader.error().message, HasSubstr("older qdedup"));
  ASSERT_TRUE(open_database(path, later, Access::read_write).ok());
  EXPECT_EQ(SqliteFile(path).query("PRAGMA user_version"), "5");
  EXPECT_EQ(SqliteFile(path).query("SELECT x FROM b"), "5");
  EXPECT_FALSE(open_database(path, first, Access::read_write).ok());
}

TEST_F(DatabaseFile, OpenedAgainKeepsTheLocksOfTheFirstConnection) {
  make();
  Result<Store> writer = Store::open(state_, Access::read_write);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(Store::open(state_, Access::read_only).ok());
  // POSIX locks are seen by other processes only.
  const std::string probe = "sqlite3 '" + state_.store_path() +
                            "' 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE;' 2>&1";
  FILE* const process = ::popen(probe.c_str(), "r");
  ASSERT_NE(process, nullptr);
  std::string said;
  for (int c = std::fgetc(process); c != EOF; c = std::fgetc(process)) said += static_cast<char>(c);
  ::pclose(process);
  EXPECT_THAT(said, HasSubstr("locked"));
}

// Put there after the files were checked: on the old index a pipe would block whoever opens the database.
TEST_F(DatabaseFile, ItsLogAndIndexAreNeitherLinksNorPipes) {
  make();
  for (const char* suffix : {"-shm", "-wal"}) {
    const std::string path = state_.store_path() + suffix;
    const std::string content = folder_.read(std::string("qdedup.db") + suffix);
    const std::string elsewhere = folder_.write("elsewhere", content);
    std::filesystem::remove(path);
    std::filesystem::create_symlink(elsewhere, path);
    ASSERT_FALSE(find_log_damage(state_.store_path()).ok()) << path;
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_FALSE(find_log_damage(state_.store_path()).ok()) << path;
    std::filesystem::remove(path);
    std::filesystem::rename(elsewhere, path);
  }
  EXPECT_TRUE(Store::open(state_, Access::read_write).ok());
}

TEST_F(DatabaseFile, ThatIsMissingBesideABankIsRefused) {
  make();
  std::filesystem::remove(state_.store_path());
  std::filesystem::remove(state_.store_path() + "-wal");
  const Result<Store> store = Store::open(state_, Access::read_write);
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(store.error().message, HasSubstr("is missing, though bank.db is there"));
  EXPECT_FALSE(std::filesystem::exists(state_.store_path()));
}

TEST_F(DatabaseFile, DecisionsAreAppendOnly) {
  make();
  query("INSERT INTO iteration VALUES (1,'logs','','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  query("INSERT INTO deletion VALUES (1,1,2,1,0,0,'safe','',100,'pending',0,0,'',0)");
  EXPECT_EQ(query("INSERT INTO decision VALUES (1,1,'','','pending','approved','','',0,'')"), "");
  EXPECT_THAT(query("UPDATE decision SET note = 'x'"), HasSubstr("decisions are never changed"));
  EXPECT_THAT(query("DELETE FROM decision"), HasSubstr("decisions are never removed"));
}

TEST_F(DatabaseFile, AQuestionHasOneOpenDeletionAtMost) {
  make();
  query("INSERT INTO iteration VALUES (1,'logs','','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  query("INSERT INTO iteration VALUES (2,'logs','','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  EXPECT_EQ(query("INSERT INTO deletion VALUES (1,1,2,1,0,0,'safe','',100,'pending',0,0,'',0)"), "");
  EXPECT_THAT(query("INSERT INTO deletion VALUES (2,2,2,1,0,0,'safe','',100,'approved',0,0,'',0)"),
              HasSubstr("UNIQUE"));
  EXPECT_EQ(query("INSERT INTO deletion VALUES (2,2,2,1,0,0,'safe','',100,'withdrawn',0,0,'',0)"), "");
}

TEST_F(DatabaseFile, AKeeperIsSmallerThanWhatIsDeleted) {
  make();
  query("INSERT INTO iteration VALUES (1,'logs','','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  EXPECT_THAT(query("INSERT INTO deletion VALUES (1,1,2,2,0,0,'safe','',100,'pending',0,0,'',0)"),
              HasSubstr("CHECK"));
}

TEST_F(DatabaseFile, ARiskIsAShareOfAll) {
  make();
  query("INSERT INTO iteration VALUES (1,'logs','','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  for (const char* risk : {"-1", "10001", "0.5"}) {
    EXPECT_NE(query(std::string("INSERT INTO deletion VALUES (1,1,2,1,0,0,'safe','',") + risk +
                    ",'pending',0,0,'',0)"),
              "")
        << risk;
  }
}

}  // namespace
}  // namespace qdedup::db
