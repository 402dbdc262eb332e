#include "import/workbook_reader.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/workbook_file.h"

namespace qdedup::import {
namespace {

using Parts = std::map<std::string, std::string>;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Read {
  std::vector<SheetRow> rows;
  std::string error;
};

Read read_bytes(const std::string& bytes) {
  Read read;
  const auto file = file_of(bytes);
  const Status done = read_workbook(*file, [&](SheetRow& row) {
    read.rows.push_back(row);
    return Status();
  });
  if (!done.ok()) read.error = done.error().message;
  return read;
}

Read read_parts(const Parts& parts) { return read_bytes(zip_of(parts)); }

// A workbook with these rows, as XML, and shared texts.
Read read_sheet(const std::string& rows, const std::string& shared = "") {
  Parts parts = {{"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"}};
  if (!shared.empty()) parts["xl/sharedStrings.xml"] = "<sst>" + shared + "</sst>";
  return read_parts(parts);
}

std::vector<std::string> texts_of(const SheetRow& row) {
  std::vector<std::string> texts;
  for (const SheetCell& cell : row.cells) texts.push_back(cell.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(WorkbookReader, ReadsWhatSpreadsheetsWrite) {
  const Read read = read_sheet(
      R"(<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><r><t>红</t></r><r><t xml:space="preserve"> 黑</t></r></is></c></row>)"
      R"(<row><c><v>12</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><v>a</v></c></row>)"
      R"(<row r="9"/><row r="1000"><c r="AB1000"><v>1.5E+18</v></c></row>)",
      "<si><t>零</t></si><si><t>一</t><rPh><t>yi</t></rPh></si>");
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.rows.size(), 4U);
  EXPECT_EQ(read.rows[0].row, 2U);
  EXPECT_EQ(texts_of(read.rows[0]), (Texts{"一", "", "红 黑"}));
  EXPECT_EQ(read.rows[1].row, 3U);
  EXPECT_EQ(texts_of(read.rows[1]), (Texts{"12", "1", "#N/A", "a"}));
  EXPECT_TRUE(read.rows[2].cells.empty());
  EXPECT_EQ(read.rows[3].row, 1000U);
  ASSERT_EQ(read.rows[3].cells.size(), 28U);
  EXPECT_EQ(read.rows[3].cells.back().text, "1.5E+18");
}

TEST(WorkbookReader, NamespacesMayHavePrefixes) {
  const Read read = read_parts(
      {{"xl/worksheets/sheet1.xml",
        R"(<x:worksheet xmlns:x="urn:x"><x:row><x:c t="inlineStr"><x:is><x:t>甲</x:t></x:is></x:c></x:row></x:worksheet>)"}});
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(texts_of(read.rows[0]), Texts{"甲"});
}

TEST(WorkbookReader, CalculatesNoFormula) {
  const Read read =
      read_sheet(R"(<row><c t="str"><f>HYPERLINK("http://a")</f><v>approve</v></c><c><f>1+1</f></c></row>)");
  ASSERT_EQ(read.rows.size(), 1U);
  ASSERT_EQ(read.rows[0].cells.size(), 2U);
  EXPECT_TRUE(read.rows[0].cells[0].is_formula);
  EXPECT_TRUE(read.rows[0].cells[1].is_formula);
}

TEST(WorkbookReader, UndoesEscapesOfTextsOnly) {
  const Read read = read_sheet(
      R"(<row><c t="inlineStr"><is><t>a_x000D_b_x005F_x0041__xZZZZ__xD800__x0000__xFFFE_</t></is></c><c t="s"><v>0</v></c><c><v>_x0041_</v></c></row>)",
      "<si><t>_x0041_</t></si>");
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(texts_of(read.rows[0]), (Texts{"a\rb_x0041__xZZZZ__xD800__x0000_\uFFFE", "A", "_x0041_"}));
  const Read in_runs =
      read_sheet(R"(<row><c t="inlineStr"><is><r><t>_</t></r><r><t>x0041_</t></r></is></c></row>)");
  ASSERT_EQ(in_runs.rows.size(), 1U);
  EXPECT_EQ(texts_of(in_runs.rows[0]), Texts{"_x0041_"});
}

TEST(WorkbookReader, ReadsSheetsByNumber) {
  Parts parts;
  for (const char* number : {"10", "2", "1"}) {
    parts["xl/worksheets/sheet" + std::string(number) + ".xml"] =
        "<worksheet><row><c><v>" + std::string(number) + "</v></c></row></worksheet>";
  }
  parts["xl/worksheets/_rels/sheet1.xml.rels"] = "none";
  parts["xl/vbaProject.bin"] = "none";
  const Read read = read_parts(parts);
  ASSERT_EQ(read.rows.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.rows[i].sheet, i + 1);
    EXPECT_EQ(texts_of(read.rows[i]), Texts{(std::vector<std::string>{"1", "2", "10"})[i]});
  }
}

TEST(WorkbookReader, RefusesWhatIsNoWorkbookOrDamaged) {
  EXPECT_THAT(read_bytes("PK\x03\x04 and so on").error,
              StartsWith("list.xlsx: is no workbook, or damaged: "));
  EXPECT_NE(read_bytes("").error, "");
  EXPECT_THAT(read_parts({{"a.txt", "a"}}).error, HasSubstr("has no worksheets"));
  EXPECT_THAT(read_sheet("<row>").error, HasSubstr("xl/worksheets/sheet1.xml: is damaged: "));
  EXPECT_THAT(read_sheet(R"(<row r="7"><c t="s"><v>1</v></c></row>)", "<si><t>a</t></si>").error,
              HasSubstr("row 7: a cell refers to a text that is not there"));
  const std::string whole =
      zip_of({{"xl/worksheets/sheet1.xml", "<worksheet>" + std::string(1000, ' ') + "</worksheet>"}});
  EXPECT_EQ(read_bytes(whole).error, "");
  EXPECT_NE(read_bytes(whole.substr(0, whole.size() / 2)).error, "");
  std::string changed = whole;
  const std::size_t crc = 14;  // of the first local header; the central directory has it as well
  const std::size_t in_directory = whole.find("PK\x01\x02") + 16;
  changed[crc] = changed[in_directory] = static_cast<char>(whole[crc] ^ 1);
  EXPECT_THAT(read_bytes(changed).error, HasSubstr("is damaged"));
}

TEST(WorkbookReader, RefusesWhatTakesMemory) {
  const std::string entities =
      R"(<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet>&b;</worksheet>)";
  EXPECT_THAT(read_parts({{"xl/worksheets/sheet1.xml", entities}}).error, HasSubstr("document type"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_THAT(read_sheet(deep).error, HasSubstr("nested too deep"));
  EXPECT_THAT(read_sheet("<row r=\"" + std::string(6'000'000, '1') + "\"/>").error,
              HasSubstr("a tag is longer than"));
  const std::string long_text(9'000'000, 'a');
  EXPECT_THAT(read_sheet("<row r=\"3\"><c t=\"str\"><v>" + long_text + "</v></c><c t=\"str\"><v>" +
                         long_text + "</v></c></row>")
                  .error,
              HasSubstr("row 3 has more than 16 MiB"));
  std::string many = "<row r=\"5\">";
  for (int i = 0; i < 30; ++i) many += "<c t=\"s\"><v>0</v></c>";
  EXPECT_THAT(read_sheet(many + "</row>", "<si><t>" + std::string(1'000'000, 'a') + "</t></si>").error,
              HasSubstr("row 5 has more than 16 MiB"));
  std::string empty_texts;
  for (int i = 0; i < 8'400'000; ++i) empty_texts += "<si/>";
  EXPECT_THAT(read_sheet("", empty_texts).error, HasSubstr("has more than 1 GiB of texts"));
  Parts parts;
  for (int i = 0; i < 10'001; ++i) parts["a" + std::to_string(i)] = "";
  EXPECT_THAT(read_parts(parts).error, HasSubstr("has more than 10,000 parts"));
  const Read wide =
      read_sheet(R"(<row><c r="ZZZZZZZZZZZZZZZZZZZZ1"><v>1</v></c><c r="A1"><v>2</v></c></row>)");
  ASSERT_EQ(wide.rows.size(), 1U);
  EXPECT_EQ(texts_of(wide.rows[0]), Texts{"2"});
}

TEST(WorkbookReader, PassesOnWhyARowIsRefused) {
  const auto file = file_of(zip_of({{"xl/worksheets/sheet1.xml", "<worksheet><row/><row/></worksheet>"}}));
  int rows = 0;
  const Status done = read_workbook(*file, [&](SheetRow& /*row*/) -> Status {
    ++rows;
    return Error{ErrorCode::busy, "no more"};
  });
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "no more");
  EXPECT_EQ(done.error().code, ErrorCode::busy);
  EXPECT_EQ(rows, 1);
}

}  // namespace
}  // namespace qdedup::import
