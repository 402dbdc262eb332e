#include "import/bank_loader.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

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

TEST_F(BankLoader, KeepsTheRowsBeforeTroubleInTheFile) {
  std::string file = packed("gzip", R"({"id":1,"text":"甲"}
{"id":2,"text":"乙"}
)");
  file[file.size() - 6] ^= 1;  // the check sum
  EXPECT_FALSE(import(file).ok());
  EXPECT_EQ(counts_.inserted, 2U);
  EXPECT_EQ(query("SELECT count(*) FROM question"), "2");
  EXPECT_EQ(query("SELECT finished_at IS NULL FROM import"), "0");
}

}  // namespace
}  // namespace qdedup::import
