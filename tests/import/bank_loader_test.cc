#include "import/bank_loader.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "db/bank_import.h"
#include "db/fingerprints.h"
#include "db/sketches.h"
#include "import/json_question.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::import {
namespace {

class BankLoader : public testing::Test {
 protected:
  BankLoader() { run_triggers(sample_.bank.database()); }

  Status import(const std::string& rows) {
    counts_ = {};
    rejected_.clear();
    return load_file(
        sample_.bank, RowUse::question, sample_.folder.write("rows.jsonl", rows), sample_.files, {}, text_,
        memory_bytes_, sample_.clock, [&](std::uint64_t line, auto...) { rejected_.push_back(line); },
        progress_, counts_);
  }

  static std::string row(int id) {
    return R"({"id":)" + std::to_string(id) + R"(,"text":"第)" + std::to_string(id) + "题\"}\n";
  }

  std::string query(const std::string& sql) { return SqliteFile(sample_.state.bank_path()).query(sql); }

  SampleState sample_;
  markup::Options text_;
  std::uint64_t memory_bytes_ = 1U << 30U;
  Progress progress_ = no_progress;
  ImportCounts counts_;
  std::vector<std::uint64_t> rejected_;  // lines
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

// Rows that go to the bank many at once, behind a batch that is committed.
TEST_F(BankLoader, ABankThatFailsLeavesWhatWasCommitted) {
  query(
      "CREATE TRIGGER fail BEFORE INSERT ON question WHEN NEW.id = 15000 BEGIN SELECT RAISE(ABORT, 'no "
      "room'); END");
  std::string rows;
  for (int id = 1; id <= 30'000; ++id) rows += row(id);
  EXPECT_FALSE(import(rows).ok());
  EXPECT_EQ(query("SELECT count(*) FROM question"), "10000");
  EXPECT_EQ(query("SELECT questions FROM total"), "10000");
  EXPECT_EQ(must(db::Sketches(sample_.bank).entries()), 10'000U);
  EXPECT_EQ(counts_.rows, 10'000U);
  EXPECT_EQ(counts_.inserted, 10'000U);
}

// Of rows that are held back, some are stored and some rejected before it fails.
TEST_F(BankLoader, WhatIsCountedAddsUpWhereTheBankFails) {
  query(
      "CREATE TRIGGER fail BEFORE INSERT ON question WHEN NEW.id = 15000 BEGIN SELECT RAISE(ABORT, 'no "
      "room'); END");
  std::string rows;
  for (int id = 30'000; id >= 1; --id) rows += row(id);
  rows += row(7) + row(7);
  EXPECT_FALSE(import(rows).ok());
  EXPECT_EQ(counts_.inserted, 9'998U);
  EXPECT_EQ(counts_.rejected_total(), 2U);
  EXPECT_EQ(counts_.rows, counts_.inserted + counts_.rejected_total());
  EXPECT_EQ(rejected_, (std::vector<std::uint64_t>{30'001, 30'002}));
}

// The daemon ends work that shows no sign of life for long.
TEST_F(BankLoader, ProgressIsToldWhileRowsAreHeldBack) {
  std::string rows;
  for (int id = 100'000; id >= 1; --id) rows += row(id);
  std::vector<std::uint64_t> told;
  progress_ = [&](std::string_view, std::uint64_t done, auto...) {
    if (query("SELECT count(*) FROM question") == "0") told.push_back(done);
  };
  ASSERT_TRUE(import(rows).ok());
  EXPECT_GE(told.size(), 10U);  // batches
  EXPECT_TRUE(std::ranges::is_sorted(told));
}

TEST_F(BankLoader, ABankThatFailedTakesNothingMore) {
  db::BankImport loading = must(db::BankImport::begin(sample_.bank, "rows", "", 10));
  query(
      "CREATE TRIGGER fail BEFORE INSERT ON question WHEN NEW.id = 2 BEGIN SELECT RAISE(ROLLBACK, 'no "
      "room'); END");
  const auto put = [&](QuestionId id) {
    const std::vector<db::BankQuestion> rows = {db::bank_question(id, "甲", std::nullopt)};
    return loading.put_all(rows, characters_of(rows)).ok();
  };
  EXPECT_TRUE(put(1));
  EXPECT_FALSE(put(2));
  EXPECT_FALSE(put(3));
  EXPECT_FALSE(loading.remove(1).ok());
  EXPECT_FALSE(loading.finish("").ok());
  EXPECT_EQ(query("SELECT count(*) FROM question"), "0");
}

using LargeBankLoader = BankLoader;

// The log would grow to the size of all that is imported again.
TEST_F(LargeBankLoader, TheWriteAheadLogIsUsedAnewWithEachBatch) {
  std::string rows;
  for (int id = 1; id <= 200'000; ++id) rows += row(id);
  ASSERT_TRUE(import(rows).ok());
  must(sample_.bank.find(1));
  ASSERT_TRUE(import(rows).ok());
  constexpr std::uintmax_t usual_bytes = 8U << 20U;
  EXPECT_LT(std::filesystem::file_size(sample_.state.bank_path() + "-wal"), usual_bytes);
}

// What is read row by row.
struct Loaded {
  std::map<QuestionId, std::string> questions;
  std::vector<std::uint64_t> rejected;
};

Loaded load_one_by_one(const std::vector<std::string>& lines) {
  Loaded loaded;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto row = parse_json_question(lines[i], RowUse::question);
    const auto* question = std::get_if<Question>(&row);
    const bool is_new =
        question != nullptr && loaded.questions.try_emplace(question->id, question->text).second;
    if (!is_new) loaded.rejected.push_back(i + 1);
  }
  return loaded;
}

// Rows in no order, more than are committed at once, with repeated ids and bad rows among them; held back
// all together, some at a time, and hardly at all.
TEST_F(BankLoader, RowsInNoOrderAreLoadedLikeOneByOne) {
  std::mt19937_64 random(4);
  std::vector<std::string> lines;
  for (int i = 0; i < 35'000; ++i) {
    const std::uint64_t id = i < 5'000 ? static_cast<std::uint64_t>(i + 1) : 1 + random() % 60'000;
    lines.push_back(random() % 100 == 0
                        ? "nonsense"
                        : R"({"id":)" + std::to_string(id) + R"(,"text":"第)" + std::to_string(i) + "题\"}");
  }
  std::string rows;
  for (const std::string& line : lines) rows += line + "\n";
  const Loaded expected = load_one_by_one(lines);
  for (const std::uint64_t memory_bytes : {1ULL << 30U, 3ULL << 20U, 1ULL}) {
    query(
        "DELETE FROM question; DELETE FROM character; DELETE FROM sketch_run; UPDATE total SET questions = "
        "0");
    memory_bytes_ = memory_bytes;
    ASSERT_TRUE(import(rows).ok());
    EXPECT_EQ(counts_.rows, lines.size());
    EXPECT_EQ(counts_.inserted, expected.questions.size());
    EXPECT_EQ(rejected_, expected.rejected);
    EXPECT_EQ(must(sample_.bank.count()), expected.questions.size());
    EXPECT_EQ(must(db::Sketches(sample_.bank).entries()), expected.questions.size());
    for (const auto& [id, text] : expected.questions)
      ASSERT_EQ(must(sample_.bank.find(id))->text, text) << id;
    refine::CharacterCounts twin;
    for (const auto& [id, text] : expected.questions) twin.add(text);
    EXPECT_EQ(must(sample_.bank.character_counts()), twin);
  }
}

TEST_F(BankLoader, KeepsTheRowsOfMembersWhoseChecksumsHold) {
  std::string file = packed("gzip", R"({"id":1,"text":"甲"}
{"id":2,"text":"乙"}
)") + packed("gzip", R"({"id":3,"text":"丙"}
)");
  file[file.size() - 6] ^= 1;  // the checksum
  EXPECT_FALSE(import(file).ok());
  EXPECT_EQ(counts_.inserted, 2U);
  EXPECT_EQ(query("SELECT count(*) FROM question"), "2");
  EXPECT_EQ(must(sample_.bank.interrupted_import()), sample_.folder / "rows.jsonl");
}

}  // namespace
}  // namespace qdedup::import
