#include "import/bank_loader.h"

#include <filesystem>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "import/fingerprints.h"
#include "import/question_characters.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::import {
namespace {

class BankLoader : public testing::Test {
 protected:
  Status import(const std::string& rows) {
    counts_ = {};
    return import_questions(
        sample_.bank, sample_.folder.write("rows.jsonl", rows), sample_.files, std::nullopt, sample_.clock,
        [](auto...) {}, no_progress, counts_);
  }

  std::string query(const std::string& sql) { return SqliteFile(sample_.state.bank_path()).query(sql); }

  SampleState sample_;
  ImportCounts counts_;
};

// As it does when memory or the disk runs out.
TEST_F(BankLoader, SqliteMayUndoABatch) {
  query(
      "CREATE TRIGGER fail BEFORE INSERT ON question WHEN NEW.id = 3 BEGIN SELECT RAISE(ROLLBACK, 'no "
      "room'); END");
  const Status failed = import(R"({"id":1,"text":"甲"}
{"id":2,"text":"乙"}
{"id":3,"text":"丙"}
)");
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message.find("no room"), std::string::npos) << failed.error().message;
  EXPECT_EQ(query("SELECT count(*) FROM question"), "0");
  EXPECT_EQ(query("SELECT questions FROM total"), "0");
  EXPECT_EQ(query("SELECT count(*) FROM character"), "0");
  EXPECT_EQ(query("SELECT count(*) FROM sketch_run"), "0");
  EXPECT_EQ(query("SELECT finished_at FROM import"), "NULL");
}

TEST_F(BankLoader, ABankThatFailedTakesNothingMore) {
  QuestionCharacters tally;
  db::BankImport loading = must(db::BankImport::begin(sample_.bank, "rows", "", 10, tally));
  query(
      "CREATE TRIGGER fail BEFORE INSERT ON question WHEN NEW.id = 2 BEGIN SELECT RAISE(ROLLBACK, 'no "
      "room'); END");
  must(loading.put(bank_question(1, "甲", std::nullopt)));
  EXPECT_FALSE(loading.put(bank_question(2, "乙", std::nullopt)).ok());
  EXPECT_FALSE(loading.put(bank_question(3, "丙", std::nullopt)).ok());
  EXPECT_FALSE(loading.finish("").ok());
  EXPECT_EQ(query("SELECT count(*) FROM question"), "0");
}

// The log would grow to the size of all that is imported again.
TEST_F(BankLoader, TheWriteAheadLogIsUsedAnewWithEachBatch) {
  std::string rows;
  for (int id = 1; id <= 200'000; ++id) {
    rows += R"({"id":)" + std::to_string(id) + R"(,"text":"第)" + std::to_string(id) + "题\"}\n";
  }
  ASSERT_TRUE(import(rows).ok());
  must(sample_.bank.find(1));
  ASSERT_TRUE(import(rows).ok());
  constexpr std::uintmax_t usual_bytes = 8U << 20U;
  EXPECT_LT(std::filesystem::file_size(sample_.state.bank_path() + "-wal"), usual_bytes);
}

TEST_F(BankLoader, KeepsTheRowsBeforeTroubleInTheFile) {
  std::string file = packed("gzip", R"({"id":1,"text":"甲"}
{"id":2,"text":"乙"}
)");
  file[file.size() - 6] ^= 1;  // the check sum
  EXPECT_FALSE(import(file).ok());
  EXPECT_EQ(counts_.inserted, 2U);
  EXPECT_EQ(query("SELECT count(*) FROM question"), "2");
  EXPECT_EQ(must(sample_.bank.interrupted_import()), sample_.folder / "rows.jsonl");
}

}  // namespace
}  // namespace qdedup::import
