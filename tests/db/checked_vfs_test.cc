#include "db/checked_vfs.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "db/database.h"
#include "db/wal_check.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

namespace fs = std::filesystem;

using Rows = std::map<int, std::string>;

Rows rows_in(SQLite::Database& database) {
  Rows rows;
  SQLite::Statement query(database, "SELECT id, value FROM example");
  while (query.executeStep()) rows[query.getColumn(0).getInt()] = query.getColumn(1).getString();
  return rows;
}

// Two connections that write to a database in turns, with caches of so few pages that transactions write to
// the log before they end. The twin is a map. No savepoints: after going back to one, SQLite 3.40 itself may
// write a log that cannot be read any more.
class TwoWriters {
 public:
  explicit TwoWriters(unsigned seed) : random_(seed) {
    std::ofstream(path_).close();
    SQLite::Database draft = connect_draft(path_);
    draft.exec("CREATE TABLE example (id INTEGER PRIMARY KEY, value TEXT NOT NULL)");
    finish_draft(draft, true);
    for (auto& writer : writers_) {
      writer.emplace(connect(path_, SQLite::OPEN_READWRITE));
      writer->exec("PRAGMA cache_size = " + std::to_string(number(1, 12)));
      writer->exec("PRAGMA synchronous = " + std::to_string(number(0, 2)));
      writer->exec("PRAGMA wal_autocheckpoint = " + std::to_string(number(0, 1) * 50));
    }
  }

  void run_transaction() {
    SQLite::Database& writer = *writers_.at(number(0, 1));
    Rows changed = rows_;
    writer.exec("BEGIN IMMEDIATE");
    for (std::size_t i = number(0, 80); i > 0; --i) change(writer, changed);
    const bool commits = number(0, 2) > 0;
    writer.exec(commits ? "COMMIT" : "ROLLBACK");
    if (commits) rows_ = std::move(changed);
    if (number(0, 9) == 0)
      writer.exec(number(0, 1) > 0 ? "PRAGMA wal_checkpoint(TRUNCATE)" : "PRAGMA wal_checkpoint");
  }

  void expect_rows() {
    for (auto& writer : writers_) EXPECT_EQ(rows_in(*writer), rows_);
  }

  // As if all processes had been killed: the log is read by its checksums alone.
  void expect_rows_in_copy() {
    for (const char* vfs : {checked_vfs(), "unix"}) {
      const TemporaryFolder elsewhere;
      const std::string copy = elsewhere / "copy.db";
      fs::copy_file(path_, copy);
      fs::copy_file(path_ + "-wal", copy + "-wal");
      const auto damage = find_log_damage(copy);
      EXPECT_EQ(damage.ok() ? damage->value_or("") : damage.error().message, "");
      SQLite::Database database = connect(copy, SQLite::OPEN_READWRITE, vfs);
      EXPECT_EQ(rows_in(database), rows_);
      EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
    }
  }

 private:
  std::size_t number(std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random_);
  }

  void change(SQLite::Database& writer, Rows& rows) {
    const int id = static_cast<int>(number(1, 60));
    if (number(0, 4) == 0) {
      SQLite::Statement erase(writer, "DELETE FROM example WHERE id = ?");
      erase.bind(1, id);
      erase.exec();
      rows.erase(id);
      return;
    }
    std::string value(number(0, number(0, 3) == 0 ? 20'000 : 3'000), static_cast<char>('a' + number(0, 25)));
    SQLite::Statement put(writer, "INSERT OR REPLACE INTO example VALUES (?, ?)");
    put.bind(1, id);
    put.bind(2, value);
    put.exec();
    rows[id] = std::move(value);
  }

  std::mt19937 random_;
  TemporaryFolder folder_;
  std::string path_ = folder_ / "example.db";
  std::array<std::optional<SQLite::Database>, 2> writers_;
  Rows rows_;
};

class RandomTransactions : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTransactions, LeaveWhatTheirTwinHolds) {
  TwoWriters writers(GetParam());
  for (int i = 0; i < 40 && !HasFailure(); ++i) {
    writers.run_transaction();
    writers.expect_rows();
    if (i % 6 == 0) writers.expect_rows_in_copy();
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTransactions, testing::Range(0U, 12U));

TEST(CheckedVfs, APipeInPlaceOfADatabaseIsNotWaitedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "example.db").c_str(), 0600), 0);
  const auto read = [&folder] {
    SQLite::Database database = connect(folder / "example.db", SQLite::OPEN_READONLY);
    return rows_in(database);
  };
  EXPECT_THROW(read(), SQLite::Exception);
}

TEST(CheckedVfs, WhoeverOpensADatabaseThatIsCutLeavesItsLog) {
  const TemporaryFolder folder;
  const std::string path = folder / "example.db";
  std::ofstream(path).close();
  SQLite::Database draft = connect_draft(path);
  draft.exec("CREATE TABLE example (id INTEGER PRIMARY KEY, value TEXT NOT NULL)");
  finish_draft(draft, true);
  SQLite::Database writer = connect(path, SQLite::OPEN_READWRITE);
  writer.exec("INSERT INTO example VALUES (1, 'only in the log')");
  const std::string content = folder.read("example.db");
  fs::resize_file(path, 0);
  for (const int mode : {SQLite::OPEN_READONLY, SQLite::OPEN_READWRITE}) {
    SQLite::Database other = connect(path, mode);
    EXPECT_THROW(rows_in(other), SQLite::Exception);
  }
  folder.write("example.db", content);
  EXPECT_EQ(rows_in(writer), (Rows{{1, "only in the log"}}));
  SQLite::Database other = connect(path, SQLite::OPEN_READONLY);
  EXPECT_EQ(rows_in(other), rows_in(writer));
}

}  // namespace
}  // namespace qdedup::db
