// What becomes of qdedup.db and bank.db as files: made, opened again, refused.

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/bank.h"
#include "db/classes.h"
#include "db/store.h"
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
  EXPECT_EQ(query("PRAGMA user_version"), "6");
  EXPECT_EQ(query("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(SqliteFile(state_.bank_path()).query("PRAGMA user_version"), "3");
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

TEST_F(DatabaseFile, OfAnotherProgramIsRefused) {
  { SqliteFile(state_.store_path()).query("CREATE TABLE t (x)"); }
  expect_refused("another program");
}

TEST_F(DatabaseFile, OfANewerVersionIsRefused) {
  make();
  query("PRAGMA user_version = 7");
  expect_refused("newer qdedup (schema 7, this one knows up to 6)");
}

TEST_F(DatabaseFile, OfAnOlderVersionIsBroughtUpToDateByTheFirstWriter) {
  make();
  query(
      "ALTER TABLE log DROP COLUMN file_size; ALTER TABLE log DROP COLUMN file_modified_ns;"
      "ALTER TABLE log DROP COLUMN born_ns;"
      "DROP TABLE slot; DROP TABLE score;"
      "ALTER TABLE iteration DROP COLUMN withheld; ALTER TABLE iteration DROP COLUMN released_at;"
      "ALTER TABLE iteration DROP COLUMN released_by; DROP TABLE reopened;"
      "DROP TABLE class_change; DROP TABLE class_member; DROP TABLE verified_pair;"
      "DROP INDEX deletion_queue; DROP TABLE sample_pair; DROP TABLE sample; PRAGMA user_version = 1");
  query("INSERT INTO log VALUES (1,'a.log',2,3,4,5,6,'','',7,8,9,10,0)");
  const Result<Store> reader = Store::open(state_, Access::read_only);
  ASSERT_FALSE(reader.ok());
  EXPECT_THAT(reader.error().message, HasSubstr("older qdedup"));
  ASSERT_TRUE(Store::open(state_, Access::read_write).ok());
  EXPECT_EQ(query("PRAGMA user_version"), "6");
  EXPECT_EQ(query("SELECT path || offset || file_size || file_modified_ns FROM log"), "a.log400");
  EXPECT_EQ(query("SELECT count(*) FROM slot"), "0");
}

// What is open by then makes the classes, and their history begins with that.
TEST_F(DatabaseFile, OfVersion4GetsItsClassesFromItsDeletions) {
  std::ifstream old(std::string(QDEDUP_SOURCE_DIR) + "/tests/db/data/version_4.sql");
  std::ostringstream dump;
  dump << old.rdbuf();
  ASSERT_EQ(query(dump.str()), "");
  ASSERT_TRUE(Store::open(state_, Access::read_write).ok());
  EXPECT_EQ(query("PRAGMA user_version"), "6");
  EXPECT_EQ(query("SELECT question_id || '>' || representative || ' ' || held_by || ' ' || since "
                  "FROM class_member ORDER BY question_id"),
            "5>1 1 2,6>1 1 1,7>1 1 1,20>12 12 2,21>12 12 2");
  EXPECT_EQ(query("SELECT iteration_id || ' ' || question_id || '>' || new_representative || ' ' || reason "
                  "FROM class_change WHERE old_representative IS NULL AND decision_id IS NULL ORDER BY id"),
            "1 6>1 migrated,1 7>1 migrated,2 5>1 migrated,2 20>12 migrated,2 21>12 migrated");
  EXPECT_EQ(query("SELECT count(*) FROM verified_pair"), "0");
  Result<Store> store = Store::open(state_, Access::read_only);
  EXPECT_TRUE(Classes(*store).breaches()->empty());
}

TEST_F(DatabaseFile, OfTheBankIsBroughtUpToDateToo) {
  make();
  SqliteFile(state_.bank_path()).query("DROP TABLE swept; DROP TABLE sketch_run; PRAGMA user_version = 1");
  ASSERT_TRUE(Bank::open(state_, Access::read_write).ok());
  EXPECT_EQ(SqliteFile(state_.bank_path()).query("PRAGMA user_version"), "3");
  EXPECT_EQ(SqliteFile(state_.bank_path()).query("SELECT count(*) FROM swept"), "0");
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
  query("INSERT INTO iteration VALUES (1,'logs','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  query("INSERT INTO deletion VALUES (1,1,2,1,0,0,'safe','','pending',0,0,'')");
  EXPECT_EQ(query("INSERT INTO decision VALUES (1,1,'','','pending','approved','')"), "");
  EXPECT_THAT(query("UPDATE decision SET note = 'x'"), HasSubstr("decisions are never changed"));
  EXPECT_THAT(query("DELETE FROM decision"), HasSubstr("decisions are never removed"));
}

TEST_F(DatabaseFile, AQuestionHasOneOpenDeletionAtMost) {
  make();
  query("INSERT INTO iteration VALUES (1,'logs','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  query("INSERT INTO iteration VALUES (2,'logs','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  EXPECT_EQ(query("INSERT INTO deletion VALUES (1,1,2,1,0,0,'safe','','pending',0,0,'')"), "");
  EXPECT_THAT(query("INSERT INTO deletion VALUES (2,2,2,1,0,0,'safe','','approved',0,0,'')"),
              HasSubstr("UNIQUE"));
  EXPECT_EQ(query("INSERT INTO deletion VALUES (2,2,2,1,0,0,'safe','','withdrawn',0,0,'')"), "");
}

TEST_F(DatabaseFile, AKeeperIsSmallerThanWhatIsDeleted) {
  make();
  query("INSERT INTO iteration VALUES (1,'logs','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
  EXPECT_THAT(query("INSERT INTO deletion VALUES (1,1,2,2,0,0,'safe','','pending',0,0,'')"),
              HasSubstr("CHECK"));
}

}  // namespace
}  // namespace qdedup::db
