// What others lay beside a database, and beside one in the making, is not taken for SQLite's.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "base/progress.h"
#include "db/checked_vfs.h"
#include "db/damage.h"
#include "db/database.h"
#include "db/file_format.h"
#include "db/snapshot.h"
#include "db/store.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

namespace fs = std::filesystem;

constexpr int version = 21;
constexpr int forged_version = 22;

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>((number >> shift) & 0xFFU);
  return bytes;
}

// A rollback journal that puts `pages` back and then removes `super_journal` (SQLite file format, 3).
std::string hot_journal(const std::string& pages, const std::string& super_journal) {
  constexpr std::uint32_t nonce = 12345;
  constexpr std::uint32_t sector_bytes = 512;
  const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  const auto count = static_cast<std::uint32_t>(pages.size() / page_bytes);
  std::string journal = magic + big_endian(count) + big_endian(nonce) + big_endian(count) +
                        big_endian(sector_bytes) + big_endian(page_bytes);
  journal.resize(sector_bytes, '\0');
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string page = pages.substr(i * page_bytes, page_bytes);
    std::uint32_t checksum = nonce;
    for (std::size_t at = page_bytes - 200; at < page_bytes; at -= 200) {
      checksum += static_cast<unsigned char>(page[at]);
    }
    journal += big_endian(i + 1) + page + big_endian(checksum);
  }
  std::uint32_t sum = 0;
  for (const char letter : super_journal) sum += static_cast<unsigned char>(letter);
  return journal + big_endian(lock_page) + super_journal +
         big_endian(static_cast<std::uint32_t>(super_journal.size())) + big_endian(sum) + magic;
}

class ForeignFiles : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Store::open(state_, Access::read_write).ok()); }

  // What could be laid beside `database` and makes another one of it.
  void forge(const std::string& database) {
    const std::string copy = elsewhere_ / "forged.db";
    fs::copy_file(database, copy);
    SqliteFile file(copy);
    file.query("PRAGMA journal_mode = MEMORY; PRAGMA journal_mode = WAL");
    file.query("PRAGMA user_version = " + std::to_string(forged_version));
    log_ = elsewhere_.read("forged.db-wal");
    file.query("PRAGMA wal_checkpoint(TRUNCATE)");
    journal_ = hot_journal(elsewhere_.read("forged.db"), victim_);
  }

  static int version_in(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
  }

  void lay_journal_beside_the_store() {
    forge(state_.store_path());
    folder_.write("qdedup.db-journal", journal_);
  }

  void expect_store_opens() {
    for (const Access access : {Access::read_only, Access::read_write}) {
      Result<Store> store = Store::open(state_, access);
      ASSERT_TRUE(store.ok()) << store.error().message;
      EXPECT_EQ(version_in(store->database()), version);
    }
    expect_untouched("qdedup.db-journal");
  }

  void expect_untouched(const std::string& journal) const {
    EXPECT_TRUE(fs::exists(victim_));
    EXPECT_EQ(folder_.read(journal), journal_);
  }

  Status back_up_to(const std::string& copy, const Progress& progress) {
    QDEDUP_ASSIGN_OR_RETURN(
        const FilePlace place,
        FilePlace::of(fs::canonical(fs::path(copy).parent_path()) / fs::path(copy).filename(), copy));
    return back_up(state_.store_path(), place, Overwrite::no, "", progress);
  }

  // In the place of the database, with nothing beside it.
  void put_backup() {
    const std::string copy = elsewhere_ / "backup.db";
    ASSERT_TRUE(back_up_to(copy, no_progress).ok());
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(state_.store_path() + suffix);
    fs::copy_file(copy, state_.store_path());
  }

  TemporaryFolder folder_;
  TemporaryFolder elsewhere_;
  StateFolder state_{folder_.path().string()};
  std::string victim_ = elsewhere_.write("victim", "precious");
  std::string log_;
  std::string journal_;
};

TEST_F(ForeignFiles, AJournalBesideADatabaseIsNotPlayedBack) {
  const std::string before = folder_.read("qdedup.db");
  lay_journal_beside_the_store();
  for (const int flags : {SQLite::OPEN_READWRITE, SQLite::OPEN_READONLY}) {
    SQLite::Database database = connect(state_.store_path(), flags);
    EXPECT_EQ(version_in(database), version);
    expect_untouched("qdedup.db-journal");
  }
  EXPECT_EQ(folder_.read("qdedup.db"), before);
}

TEST_F(ForeignFiles, AJournalKeepsNobodyFromTheState) {
  lay_journal_beside_the_store();
  expect_store_opens();
}

TEST_F(ForeignFiles, AJournalBesideABackupThatWasPutInPlaceIsNotPlayedBack) {
  put_backup();
  lay_journal_beside_the_store();
  expect_store_opens();
  EXPECT_EQ(SqliteFile(state_.store_path()).query("PRAGMA journal_mode"), "wal");
}

TEST_F(ForeignFiles, NeitherJournalNorLogBesideADraftIsTaken) {
  put_backup();
  forge(state_.store_path());
  fs::copy_file(state_.store_path(), folder_ / "draft");
  const std::string before = folder_.read("draft");
  folder_.write("draft-journal", journal_);
  folder_.write("draft-wal", log_);
  for (const int flags : {SQLite::OPEN_READWRITE, SQLite::OPEN_READONLY}) {
    SQLite::Database draft = connect(folder_ / "draft", flags, draft_vfs());
    EXPECT_EQ(version_in(draft), version);
    expect_untouched("draft-journal");
    EXPECT_EQ(folder_.read("draft-wal"), log_);
  }
  EXPECT_EQ(folder_.read("draft"), before);
  EXPECT_FALSE(fs::exists(folder_ / "draft-shm"));
}

// While it is made, which is in several steps.
TEST_F(ForeignFiles, ABackupHasNothingOfWhatIsLaidBesideItsDraft) {
  SqliteFile(state_.store_path()).query("CREATE TABLE filler AS SELECT zeroblob(20000000)");
  forge(state_.store_path());
  const TemporaryFolder open;
  bool laid = false;
  const auto lay = [&](std::string_view, std::uint64_t, std::uint64_t, std::string_view) {
    if (laid) return;
    laid = true;
    const std::string draft = fs::directory_iterator(open.path())->path().filename().string();
    EXPECT_EQ(std::distance(fs::directory_iterator(open.path()), fs::directory_iterator()), 1);
    open.write(draft + "-wal", log_);
    open.write(draft + "-journal", journal_);
  };
  const Status made = back_up_to(open / "backup.db", lay);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_TRUE(laid);
  EXPECT_TRUE(fs::exists(victim_));
  EXPECT_EQ(SqliteFile(open / "backup.db").query("PRAGMA user_version"), std::to_string(version));
  EXPECT_EQ(SqliteFile(open / "backup.db").query("PRAGMA journal_mode"), "delete");
  EXPECT_EQ(SqliteFile(open / "backup.db").query("PRAGMA integrity_check"), "ok");
}

// It has no write-ahead log.
TEST_F(ForeignFiles, TheDamageOfABackupThatWasPutInPlaceIsLookedFor) {
  put_backup();
  const auto find = [&] {
    Result<Store> store = Store::open(state_, Access::read_only);
    const Result<Snapshot> snapshot = Snapshot::take(*store);
    return find_page_damage(*store);
  };
  EXPECT_EQ(find()->size(), 0);
  EXPECT_FALSE(fs::exists(state_.store_path() + "-shm"));

  std::string bytes = folder_.read("qdedup.db");
  constexpr std::size_t in_first_table = 2 * 4096 - 100;
  bytes[in_first_table] ^= 1;
  folder_.write("qdedup.db", bytes);
  EXPECT_GT(find()->size(), 0);
}

}  // namespace
}  // namespace qdedup::db
