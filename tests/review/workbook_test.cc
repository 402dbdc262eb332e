#include "review/workbook.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "import/workbook_reader.h"
#include "review/export.h"
#include "tests/review/failing_output.h"
#include "tests/review/hostile_text.h"
#include "tests/review/python_script.h"
#include "tests/review/sample_list.h"
#include "tests/support/workbook_file.h"

namespace qdedup::review {
namespace {

const ReportHeader header_7 = {{7, "logs", "", "2026-11-20T03:00:12Z", "1.2", "", "", {}, {}, false, "", ""},
                               false,
                               {{"cap", "100"}},
                               {{"mine", "lines", 5}}};

std::string written(const std::vector<DeletionEntry>& entries,
                    std::uint32_t rows_per_sheet = max_rows_per_sheet) {
  std::ostringstream out;
  const Status done = export_workbook(header_7, stream_of(entries), out, rows_per_sheet);
  EXPECT_TRUE(done.ok()) << done.error().message;
  return out.str();
}

struct SheetRow {
  int sheet;
  int row;
  std::vector<std::string> cells;
};

std::vector<SheetRow> rows_of(const std::string& bytes) {
  std::vector<SheetRow> rows;
  for (const auto& read : read_by_python("read_xlsx.py", bytes)) {
    SheetRow row{read.at(0), read.at(1), {}};
    for (std::size_t i = 2; i < read.size(); ++i) row.cells.push_back(read[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string cell(const SheetRow& row, std::size_t column) {
  return column < row.cells.size() ? row.cells[column] : std::string();
}

// Pairs with what has broken workbooks before.
std::vector<DeletionEntry> hostile_pairs(std::mt19937_64& random) {
  const std::vector<std::string> own = {"_x0041_",      "a_x000d_b",    "_x_x0041_", "\r\n",
                                        "\x01\x1F\t\n", " a ",          "=1+1",      "😀😀",
                                        "𠀀_",          "\uFFFE\uFFFF", ""};
  std::vector<DeletionEntry> entries;
  for (QuestionId id = 2; id < 1500; ++id) {
    const auto text = [&] {
      return random() % 3 == 0 ? own[random() % own.size()] + own[random() % own.size()]
                               : hostile_text(random);
    };
    auto entry = sample_pair(id, text(), text());
    entry.row.note = hostile_text(random);
    entry.row.risk = refine::Risk(static_cast<int>(random() % 10'001));
    entries.push_back(std::move(entry));
  }
  return entries;
}

TEST(Workbook, HoldsEveryTextAsItIs) {
  std::mt19937_64 random(20261120);
  const std::vector<DeletionEntry> entries = hostile_pairs(random);
  const auto rows = rows_of(written(entries));
  ASSERT_GT(rows.size(), entries.size());
  for (std::size_t i = 0; i < deletion_columns().size(); ++i)
    EXPECT_EQ(cell(rows[0], i), deletion_columns()[i].name);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const SheetRow& row = rows[i + 1];
    ASSERT_EQ(row.sheet, 1);
    EXPECT_EQ(row.row, static_cast<int>(i + 2));
    EXPECT_EQ(cell(row, 1), std::to_string(entries[i].question.id));
    EXPECT_EQ(cell(row, 2), std::to_string(entries[i].keeper.id));
    EXPECT_EQ(std::stod(cell(row, 8)), std::stod(text_of(entries[i].row.risk)));
    EXPECT_EQ(without_guard(cell(row, 11)), entries[i].row.note);
    EXPECT_EQ(cell(row, 12), entries[i].question.text);
    EXPECT_EQ(cell(row, 13), entries[i].keeper.text);
  }
}

// The texts of a workbook by sheet, row and column, as import::read_workbook has them.
using Cells = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::string>;

Cells cells_of(const std::string& bytes) {
  Cells cells;
  const auto file = file_of(bytes);
  const Status done = import::read_workbook(
      *file,
      [&](const import::Sheet& sheet, import::SheetRow& row) {
        for (const import::SheetCell& each : row.cells) {
          EXPECT_EQ(each.problem, "") << import::cell_name(each.column, row.row);
          cells[{sheet.number, row.row, each.column}] = each.text;
        }
        return Status();
      },
      [](const import::Sheet& /*sheet*/) { return Status(); });
  EXPECT_TRUE(done.ok()) << done.error().message;
  return cells;
}

TEST(Workbook, IsReadBackAsPythonReadsIt) {
  std::mt19937_64 random(20261121);
  const std::string bytes = written(hostile_pairs(random), 500);
  Cells cells = cells_of(bytes);
  std::size_t texts = 0;
  for (const SheetRow& row : rows_of(bytes)) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string read =
          cells[{static_cast<std::uint32_t>(row.sheet), static_cast<std::uint32_t>(row.row),
                 static_cast<std::uint32_t>(i + 1)}];
      const bool is_number = row.cells[i].find_first_not_of("0123456789.") == std::string::npos;
      if (is_number && read != row.cells[i] && !read.empty()) {
        EXPECT_EQ(std::stod(read), std::stod(row.cells[i]));
      } else {
        EXPECT_EQ(read, row.cells[i]);
        texts += read.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(texts, 5000U);
}

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFFU);
  }
  return bytes;
}

TEST(Workbook, IsReadTheSameWhereOpenpyxlSavedIt) {
  std::mt19937_64 random(20261122);
  const auto saved = read_by_python("resave_xlsx.py", written(hostile_pairs(random)));
  if (saved.is_null()) GTEST_SKIP() << "openpyxl is not installed";
  const Cells cells = cells_of(from_base64(saved.at(0)));
  ASSERT_GT(saved.at(1).size(), 5000U);
  for (const auto& cell : saved.at(1)) {
    const auto found = cells.find({cell.at(0), cell.at(1), cell.at(2)});
    ASSERT_NE(found, cells.end()) << cell.dump();
    EXPECT_EQ(found->second, cell.at(3)) << cell.dump();
  }
}

TEST(Workbook, CutsWhatNoCellHolds) {
  for (const std::size_t characters : {32'734U, 32'735U, 32'736U, 100'000U}) {
    std::string text;
    for (std::size_t i = 0; i < characters; ++i) text += "甲";
    const std::string kept = cell(rows_of(written({sample_pair(2, "乙", text)}))[1], 12);
    EXPECT_EQ(kept == text, characters <= max_text_units) << characters;
    EXPECT_EQ(kept.ends_with(cut_text_end), kept != text);
    EXPECT_EQ(text_in_cell(text), kept);
  }
  std::string text(40'000, '\x01');
  EXPECT_TRUE(cell(rows_of(written({sample_pair(2, "乙", text)}))[1], 12).ends_with(cut_text_end));
}

TEST(Workbook, KeepsBlanksToFillIn) {
  const std::string text = "甲" + std::string(5000, '_') + "\n";
  EXPECT_EQ(cell(rows_of(written({sample_pair(2, "乙", text)}))[1], 12), text);
}

TEST(Workbook, HasSheetsOfSoManyRows) {
  std::vector<DeletionEntry> entries;
  for (QuestionId id = 2; id < 9; ++id) entries.push_back(sample_pair(id, "甲乙", "甲丙"));
  std::vector<std::string> ids;
  for (const SheetRow& row : rows_of(written(entries, 3))) {
    if (row.sheet <= 3) ids.push_back(std::to_string(row.sheet) + " " + cell(row, 1));
  }
  const std::vector<std::string> expected = {"1 delete_id", "1 2", "1 3", "1 4",         "2 delete_id",
                                             "2 5",         "2 6", "2 7", "3 delete_id", "3 8"};
  EXPECT_EQ(ids, expected);
}

TEST(Workbook, IsTheSameForTheSameList) {
  const std::vector<DeletionEntry> entries = {sample_pair(2, "甲乙", "甲丙")};
  EXPECT_EQ(written(entries), written(entries));
}

TEST(Workbook, HasSheetsOfReasonsAndCounts) {
  auto entry = sample_pair(2, "甲乙", "甲丙");
  entry.row.reasons = refine::Reasons("polarity:多/少;polarity:大/小;quantity");
  entry.row.confidence = refine::Confidence::doubtful;
  auto other = sample_pair(3, "甲乙", "甲丙");
  other.row.reasons = refine::Reasons("quantity");
  std::vector<std::string> lines;
  for (const SheetRow& row : rows_of(written({entry, other}))) {
    if (row.sheet > 1) lines.push_back(std::to_string(row.sheet) + " " + cell(row, 0) + "=" + cell(row, 1));
  }
  const std::vector<std::string> expected = {"2 reason=deletions",
                                             "2 quantity=2",
                                             "2 polarity=1",
                                             "3 iteration=7",
                                             "3 finished=2026-11-20T03:00:12Z",
                                             "3 qdedup=1.2",
                                             "3 deletions in this list=2",
                                             "3 safe=1",
                                             "3 doubtful=1",
                                             "3 mine: lines=5",
                                             "3 cap=100"};
  EXPECT_EQ(lines, expected);
}

TEST(Workbook, OfAnEmptyListHasItsHeader) {
  const auto rows = rows_of(written({}));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(cell(rows[0], 1), "delete_id");
}

TEST(Workbook, TellsThatTheOutputIsFull) {
  FailingOutput full(1000);
  std::ostream out(&full);
  const Status done = export_workbook(header_7, stream_of({sample_pair(2, "甲乙", "甲丙")}), out);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::io);
}

TEST(Workbook, PassesErrorsOn) {
  std::ostringstream out;
  const Status broken = export_workbook(header_7, broken_stream(), out);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().message, "bank: broken");
  EXPECT_TRUE(out.str().empty());
}

}  // namespace
}  // namespace qdedup::review
