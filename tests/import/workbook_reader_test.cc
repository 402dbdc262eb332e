#include "import/workbook_reader.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/workbook_limits.h"
#include "tests/support/workbook_file.h"

namespace qdedup::import {
namespace {

using Lines = std::vector<std::string>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// "SHEET!ROW: A2=text …" of each row, with the problem in brackets; "SHEET: …" for what the end of a sheet
// told; and the error.
Lines read_bytes(const std::string& bytes) {
  Lines lines;
  const auto file = file_of(bytes);
  const Status done = read_workbook(
      *file,
      [&](const Sheet& sheet, SheetRow& row) {
        std::string line = sheet.name + '!' + std::to_string(row.row) + (row.is_hidden ? " hidden:" : ":");
        for (const SheetCell& cell : row.cells) {
          line += ' ' + cell_name(cell.column, row.row) + '=' + cell.text;
          if (!cell.problem.empty())
            line += '[' + std::string(cell.problem.substr(0, cell.problem.find(':'))) + ']';
        }
        lines.push_back(line);
        return Status();
      },
      [&](const Sheet& sheet) {
        std::string line;
        if (sheet.is_hidden) line += " hidden";
        if (sheet.is_filtered) line += " filtered";
        for (const CellRange& range : sheet.hidden_columns)
          line += " without " + std::to_string(range.first_column) + '-' + std::to_string(range.last_column);
        for (const auto& [kind, ranges] :
             {std::pair("merged", &sheet.merged), std::pair("formula", &sheet.formulas)}) {
          for (const CellRange& range : *ranges)
            line += ' ' + std::string(kind) + ' ' + cell_name(range.first_column, range.first_row) + ':' +
                    cell_name(range.last_column, range.last_row);
        }
        if (!line.empty()) lines.push_back(sheet.name + ':' + line);
        return Status();
      });
  if (!done.ok()) lines.push_back(done.error().message);
  return lines;
}

Lines read(const WorkbookParts& parts) { return read_bytes(zip_of(parts)); }

// A workbook with these rows, as XML.
Lines read_rows(const std::string& rows, const std::string& texts = "", const std::string& styles = "") {
  return read(workbook_parts("<sheetData>" + rows + "</sheetData>", texts, styles));
}

// That of a workbook which is refused, without what the path and the advice say.
std::string refusal(const Lines& lines) {
  const std::string begin = "list.xlsx: ";
  const std::string end = ": save it as .xlsx again, or as CSV UTF-8";
  const std::string last = lines.empty() ? "nothing" : lines.back();
  if (!last.starts_with(begin) || !last.ends_with(end)) return "not refused: " + last;
  return last.substr(begin.size(), last.size() - begin.size() - end.size());
}

WorkbookParts with_part(WorkbookParts parts, const std::string& name, const std::string& content) {
  for (auto& part : parts) {
    if (part.first == name) part.second = content;
  }
  return parts;
}

const std::string one_row = "<sheetData><row><c t=\"str\"><v>approve</v></c></row></sheetData>";

TEST(WorkbookReader, ReadsWhatSpreadsheetsWrite) {
  EXPECT_THAT(
      read_rows(
          R"(<row r="2" spans="1:3"><c r="A2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><r><rPr><b/></rPr><t>红</t></r><r><t xml:space="preserve"> 黑</t></r></is></c></row>)"
          R"(<row><c><v>12</v></c><c t="b"><v>1</v></c><c t="str"><v>a_x000D_b_x005f_x0041_x0041__x0000_</v></c><c s="0"/><c t="n"><v>-1.5</v></c></row>)"
          R"(<row r="9"/><row r="1000"><c r="AB1000"><v>1.2E+3</v></c><c r="XFD1000" t="d"><v>2026-01-01</v></c></row>)",
          "<si><t>零</t></si><si><t>一</t><rPh sb=\"0\" eb=\"1\"><t>yi</t></rPh><phoneticPr "
          "fontId=\"1\"/></si>"),
      ElementsAre("deletions!2: A2=一 C2=红 黑",
                  "deletions!3: A3=12 B3=TRUE C3=a\rb_x0041_x0041__x0000_ E3=-1.5",
                  "deletions!1000: AB1000=1200 XFD1000=2026-01-01[is shown otherwise by its number format]"));
}

TEST(WorkbookReader, ReadsTheStrictFormUnderAnyPrefixAndName) {
  WorkbookParts parts = workbook_parts("");
  const std::string strict = "http://purl.oclc.org/ooxml/officeDocument/relationships";
  const auto of = [&](const std::string& id, const std::string& kind, const std::string& target) {
    return "<p:Relationship Id='" + id + "' Type='" + strict + "/" + kind + "' Target='" + target + "'/>";
  };
  const std::string begin =
      "<p:Relationships xmlns:p='http://schemas.openxmlformats.org/package/2006/relationships'>";
  const std::string space = "http://purl.oclc.org/ooxml/spreadsheetml/main";
  EXPECT_THAT(read({{"_rels/.rels",
                     begin + of("a", "officeDocument", "/My Book/../B/book.xml") + "</p:Relationships>"},
                    {"B/Book.xml", "<x:workbook xmlns:x='" + space + "' xmlns:q='" + strict +
                                       "'><x:sheets><x:sheet name='一' q:id='b'/></x:sheets></x:workbook>"},
                    {"b/_rels/book.XML.rels",
                     begin + of("b", "worksheet", "./../C/sheet.xml") + "</p:Relationships>"},
                    {"c/sheet.xml", "<x:worksheet xmlns:x='" + space +
                                        "'><x:sheetData><x:row><x:c "
                                        "t='str'><x:v>a</x:v></x:c></x:row></x:sheetData></x:worksheet>"}}),
              ElementsAre("一!1: A1=a"));
}

TEST(WorkbookReader, ReadsUtf16) {
  std::string wide = "\xFF\xFE";
  for (const char c :
       std::string("<worksheet xmlns=\"") + spreadsheet_space + "\">" + one_row + "</worksheet>")
    wide += {c, '\0'};
  EXPECT_THAT(read(with_part(workbook_parts(""), "xl/worksheets/sheet1.xml", wide)),
              ElementsAre("deletions!1: A1=approve"));
}

TEST(WorkbookReader, TellsWhereACellIsNotWhatItShows) {
  const std::string styles =
      R"(<numFmts><numFmt numFmtId="164" formatCode=";;;"/><numFmt numFmtId="165" formatCode="0;0;0;&quot;approve&quot;"/>)"
      R"(<numFmt numFmtId="1" formatCode="&quot;7&quot;"/></numFmts>)"
      R"(<cellStyleXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellStyleXfs>)"
      R"(<cellXfs><xf numFmtId="0" xfId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/><xf numFmtId="1"/>)"
      R"(<xf numFmtId="0" applyNumberFormat="0" xfId="1"/><xf numFmtId="49" xfId="0"/></cellXfs>)";
  const std::string otherwise = "[is shown otherwise by its number format]";
  const std::vector<std::pair<std::string, std::string>> cells = {
      {R"(<c t="str"><v>a</v></c>)", "a"},
      {R"(<c t="str" s="1"><v>a</v></c>)", "a" + otherwise},
      {R"(<c t="str" s="2"><v></v></c>)", otherwise},
      {R"(<c t="str" s="3"><v>a</v></c>)", "a"},
      {R"(<c s="3"><v>45000</v></c>)", "45000" + otherwise},
      {R"(<c s="4"><v>8</v></c>)", "8" + otherwise},
      {R"(<c t="str" s="5"><v>a</v></c>)", "a" + otherwise},
      {R"(<c s="6"><v>999999999999999</v></c>)", "999999999999999"},
      {R"(<c s="6"><v>1000000000000000</v></c>)",
       "1000000000000000[was rounded by the spreadsheet, which keeps 15 digits]"},
      {R"(<c><v>1.23456789012346E+18</v></c>)",
       "1.23456789012346E+18[was rounded by the spreadsheet, which keeps 15 digits]"},
      {R"(<c t="str"><f>A1</f><v>a</v></c>)", "a[is a formula, which is not calculated]"},
      {R"(<c><f>A1</f><v></v></c>)", "[is a formula, which is not calculated]"},
      {R"(<c><f>A1</f></c>)", "[is a formula, which is not calculated]"},
      {R"(<c t="e"><v>#N/A</v></c>)", "#N/A[is an error of the spreadsheet]"},
      {R"(<c t="str" vm="1"><v>a</v></c>)", "a[is a picture or a linked value]"},
      {"<c t=\"str\"><v>" + std::string(32'767, 'x') + "</v></c>", std::string(32'767, 'x')},
      {"<c t=\"str\"><v>" + std::string(32'768, 'x') + "</v></c>",
       std::string(32'768, 'x') + "[has more than the 32,767 characters of a cell]"},
  };
  for (const auto& [cell, shown] : cells)
    EXPECT_THAT(read_rows("<row>" + cell + "</row>", "", styles), ElementsAre("deletions!1: A1=" + shown))
        << cell;
  EXPECT_THAT(
      read_rows(
          "<row><c t=\"str\"><v>a</v></c></row>", "",
          R"(<numFmts><numFmt numFmtId="200" formatCode=";;;"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>)"),
      ElementsAre("deletions!1: A1=a" + otherwise))
      << "the style of a cell that names none";
}

TEST(WorkbookReader, TellsWhatIsHiddenMergedOrFilled) {
  EXPECT_THAT(
      read(workbook_parts(
          R"(<sheetPr filterMode="1"/><cols><col min="2" max="3" hidden="1" width="9"/><col min="4" max="4" width="0"/></cols>)"
          R"(<cols><col min="5" max="5" width="9" hidden="0"/></cols>)"
          R"(<sheetData><row r="1" hidden="true"><c><f t="array" ref="A1:B9">X</f></c></row><row ht="0"><c><v>1</v></c></row></sheetData>)"
          R"(<mergeCells><mergeCell ref="K2:K5"/></mergeCells>)")),
      ElementsAre("deletions!1 hidden: A1=[is a formula, which is not calculated]",
                  "deletions!2 hidden: A2=1",
                  "deletions: filtered without 2-3 without 4-4 merged K2:K5 formula A1:B9"));
  const std::string filter = "<autoFilter ref=\"A1:B2\"><filterColumn colId=\"0\"/></autoFilter>";
  EXPECT_THAT(read(workbook_parts(one_row + filter)),
              ElementsAre("deletions!1: A1=approve", "deletions: filtered"));
  EXPECT_THAT(read(workbook_parts(one_row + "<customSheetViews><customSheetView>" + filter +
                                  "</customSheetView></customSheetViews>")),
              ElementsAre("deletions!1: A1=approve"))
      << "the filter of another view";
  EXPECT_THAT(read(workbook_parts("<sheetFormatPr zeroHeight=\"1\"/>" + one_row)),
              ElementsAre("deletions!1 hidden: A1=approve"));
}

TEST(WorkbookReader, KnowsTheFiltersOfTables) {
  WorkbookParts parts = workbook_parts(one_row);
  parts.emplace_back("xl/worksheets/_rels/sheet1.xml.rels",
                     relations(relation("a", "table", "../tables/table1.xml")));
  parts.emplace_back("xl/tables/table1.xml",
                     sheet_ml("table", "<autoFilter><filterColumn colId=\"0\"/></autoFilter>"));
  EXPECT_THAT(read(parts), ElementsAre("deletions!1: A1=approve", "deletions: filtered"));
  EXPECT_THAT(read(with_part(parts, "xl/tables/table1.xml", sheet_ml("table", "<autoFilter/>"))),
              ElementsAre("deletions!1: A1=approve"));
}

TEST(WorkbookReader, ReadsTheSheetsInTheirOrder) {
  WorkbookParts parts = workbook_parts(one_row);
  parts = with_part(parts, "xl/workbook.xml",
                    sheet_ml("workbook",
                             "<sheets><sheet name=\"b\" r:id=\"rId9\"/><sheet name=\"c\" r:id=\"rId8\"/>"
                             "<sheet name=\"a\" r:id=\"rId1\" state=\"veryHidden\"/></sheets>"));
  parts = with_part(
      parts, "xl/_rels/workbook.xml.rels",
      relations(relation("rId1", "worksheet", "worksheets/sheet1.xml") +
                relation("rId8", "chartsheet", "chart.xml") + relation("rId9", "worksheet", "other.xml")));
  parts.emplace_back("xl/other.xml", sheet_ml("worksheet", one_row));
  EXPECT_THAT(read(parts), ElementsAre("b!1: A1=approve", "a!1: A1=approve", "a: hidden"));
}

// What a program might show otherwise than it is read.
TEST(WorkbookReader, RefusesRowsAndCellsThatCanBeReadInTwoWays) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"(<row r="2"/><row r="2"/>)", "row 2 is followed by row 2"},
      {R"(<row r="2"/><row r="1"/>)", "row 2 is followed by row 1"},
      {R"(<row r="0"/>)", "row 0 is followed by row 0"},
      {R"(<row r="1048577"/>)", "row 0 is followed by row 1048577"},
      {R"(<row r="1"><c r="B1"/><c r="A1"/></row>)", "row 1: the cell A1 is out of order, or of another row"},
      {R"(<row r="1"><c r="B1"/><c r="B1"/></row>)", "row 1: the cell B1 is out of order, or of another row"},
      {R"(<row r="1"><c r="A1"/><c r="B2"/></row>)", "row 1: the cell B2 is out of order, or of another row"},
      {R"(<row r="1"><c r="XFE1"/></row>)", "row 1: the cell XFE1 is out of order, or of another row"},
      {R"(<row r="1"><c r="XFD1"/><c/></row>)", "XFE1: lies beyond the last column"},
      {R"(<row><c><v>1</v><v>2</v></c></row>)", "A1: has two values"},
      {R"(<row><c t="str"><v>1</v><is><t>2</t></is></c></row>)", "A1: has a value of another type"},
      {R"(<row><c t="inlineStr"><is><t>2</t></is><v>1</v></c></row>)", "A1: has a value of another type"},
      {R"(<row><c t="inlineStr"><is><t>2</t></is><is><t>1</t></is></c></row>)", "A1: has two values"},
      {R"(<row><c t="inlineStr"><is><t>2</t><t>1</t></is></c></row>)", "has two texts in one place"},
      {R"(<row><c t="inlineStr"><is><r><t>2</t></r><t>1</t></is></c></row>)", "has two texts in one place"},
      {R"(<row><c><f>A1</f><f>A2</f></c></row>)", "A1: has two formulas"},
      {R"(<row><c t="s"><v>3</v></c></row>)", "A1: refers to a text that is not there"},
      {R"(<row><c t="s"><v>-0</v></c></row>)", "A1: refers to a text that is not there"},
      {R"(<row><c t="x"><v>3</v></c></row>)", "A1: has a value of an unknown type"},
      {R"(<row><c><v>approve</v></c></row>)", "A1: has a number that is none"},
      {R"(<row><c><v>inf</v></c></row>)", "A1: has a number that is none"},
      {R"(<row><c t="b"><v>2</v></c></row>)", "A1: has a truth that is none"},
      {R"(<row><c s="7"/></row>)", "A1: has a style that is not there"},
      {R"(<row><c><f t="array" ref="B2:A1"/></c></row>)", "has a range that is none: B2:A1"},
      {R"(<c/>)", "has <c> in <sheetData>"},
      {R"(<row><row/></row>)", "has <row> in <row>"},
      {R"(<row><v>1</v></row>)", "has <v> in <row>"},
      {R"(<row><c><v>1<v>2</v></v></c></row>)", "has <v> in <v>"},
      {R"(<row><mc:AlternateContent><mc:Choice Requires="x14"><c/></mc:Choice></mc:AlternateContent></row>)",
       "has <AlternateContent> in <row>"},
      {R"(<mc:AlternateContent/>)", "has <AlternateContent> in <sheetData>"},
      {"<row><c t=\"str\"><v>" + std::string(17'000'000, 'x') + "</v></c></row>",
       "row 1 has more than 16 MiB"},
  };
  for (const auto& [row, why] : rows)
    EXPECT_EQ(refusal(read_rows(row)), "xl/worksheets/sheet1.xml: " + why) << row.substr(0, 200);
}

TEST(WorkbookReader, RefusesSheetsThatCanBeReadInTwoWays) {
  const std::string alternative = "<mc:AlternateContent><mc:Choice Requires=\"x14\">";
  const std::string closing = "</mc:Choice></mc:AlternateContent>";
  const std::vector<std::pair<std::string, std::string>> sheets = {
      {one_row + one_row, "has two <sheetData>"},
      {alternative + one_row + closing, "has <sheetData> in an unusual place"},
      {alternative + "<cols><col/></cols>" + closing, "has <cols> in an unusual place"},
      {alternative + "<mergeCells/>" + closing, "has <mergeCells> in an unusual place"},
      {"<cols><col min=\"2\" max=\"1\"/></cols>", "has columns that are none"},
      {"<cols><col max=\"1\"/></cols>", "has columns that are none"},
      {"<mergeCells><mergeCell ref=\"A0:B1\"/></mergeCells>", "has a range that is none: A0:B1"},
      {"<sheetFormatPr defaultColWidth=\"0\"/>", "hides columns by default"},
      {one_row + "<cols><col min=\"1\" max=\"1\" hidden=\"1\"/></cols>",
       "says after its rows how they are shown"},
      {one_row + "<sheetFormatPr zeroHeight=\"1\"/>", "says after its rows how they are shown"},
      {"<conditionalFormatting><cfRule><dataBar showValue=\"0\"/></cfRule></conditionalFormatting>",
       "has a conditional format that may show something else: remove it"},
      {"<extLst><ext><x14:dxf xmlns:x14=\"urn:x\"><numFmt numFmtId=\"1\" "
       "formatCode=\";;;\"/></x14:dxf></ext></extLst>",
       "has a conditional format that may show something else: remove it"},
  };
  for (const auto& [sheet, why] : sheets)
    EXPECT_EQ(refusal(read(workbook_parts(sheet))), "xl/worksheets/sheet1.xml: " + why) << sheet;
}

TEST(WorkbookReader, RefusesStylesAndTextsThatCanBeReadInTwoWays) {
  const std::vector<std::pair<std::string, std::string>> styles = {
      {"<cellXfs/><cellXfs/>", "has two <cellXfs>"},
      {"<mc:Choice><cellXfs/></mc:Choice>", "has <cellXfs> in an unusual place"},
  };
  for (const auto& [style, why] : styles)
    EXPECT_EQ(refusal(read(workbook_parts(one_row, "", style))), "xl/styles.xml: " + why) << style;
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"<si><t>a</t><t>b</t></si>", "has two texts in one place"},
      {"<si><t>a</t><r><t>b</t></r></si>", "has two texts in one place"},
      {"<si><r><t>a</t></r><r><t>b</t><t>c</t></r></si>", "has two texts in one place"},
      {"<si><mc:AlternateContent/></si>", "has <AlternateContent> in <si>"},
      {"<mc:Choice><si><t>a</t></si></mc:Choice>", "has <si> in an unusual place"},
      {"<si><t>a<t>b</t></t></si>", "has <t> in <t>"},
  };
  for (const auto& [text, why] : texts)
    EXPECT_EQ(refusal(read(workbook_parts(one_row, text))), "xl/sharedstrings.xml: " + why) << text;
}

TEST(WorkbookReader, RefusesConditionsThatReplaceValues) {
  const std::string condition = "<conditionalFormatting sqref=\"A1\"/>";
  for (const std::string code : {";;;", "yyyy/m/d", "0;0;0;&quot;approve&quot;"}) {
    const std::string styles = "<dxfs><dxf><numFmt numFmtId=\"9\" formatCode=\"" + code + "\"/></dxf></dxfs>";
    EXPECT_EQ(refusal(read(workbook_parts(one_row + condition, "", styles))),
              "xl/worksheets/sheet1.xml: has a conditional format that may show something else: remove it");
    EXPECT_THAT(read(workbook_parts(one_row, "", styles)), ElementsAre("deletions!1: A1=approve"))
        << "as of a table";
  }
  EXPECT_THAT(read(workbook_parts(one_row + condition, "",
                                  "<dxfs><dxf><numFmt numFmtId=\"9\" formatCode=\"0;@\"/></dxf></dxfs>")),
              ElementsAre("deletions!1: A1=approve"));
}

TEST(WorkbookReader, OfFormatsInTwoWaysBothCount) {
  const auto shown_with = [](const std::string& first, const std::string& second) {
    return read_rows(
        "<row><c t=\"str\" s=\"1\"><v>a</v></c></row>", "",
        "<numFmts><mc:AlternateContent><mc:Choice Requires=\"x16r2\"><numFmt numFmtId=\"164\" formatCode=\"" +
            first + "\"/></mc:Choice><mc:Fallback><numFmt numFmtId=\"164\" formatCode=\"" + second +
            "\"/></mc:Fallback></mc:AlternateContent></numFmts>"
            "<cellXfs><xf/><xf numFmtId=\"164\"/></cellXfs>");
  };
  EXPECT_THAT(shown_with("0", "@"), ElementsAre("deletions!1: A1=a"));
  EXPECT_THAT(shown_with(";;;", "@"),
              ElementsAre("deletions!1: A1=a[is shown otherwise by its number format]"));
  EXPECT_THAT(shown_with("0", ";;;"),
              ElementsAre("deletions!1: A1=a[is shown otherwise by its number format]"));
}

TEST(WorkbookReader, CellsWithoutAValueAreBlank) {
  EXPECT_THAT(
      read_rows("<row><c/><c><v/></c><c t=\"s\"><v></v></c><c t=\"b\"><v/></c><c t=\"e\"/><c t=\"str\"/>"
                "<c t=\"inlineStr\"/><c t=\"str\"><v/></c></row>"),
      ElementsAre("deletions!1: H1="));
}

TEST(WorkbookReader, RefusesSheetsThatAreNowhereOrTwice) {
  const auto with_sheets = [](const std::string& sheets) {
    return refusal(read(with_part(workbook_parts(one_row), "xl/workbook.xml", sheet_ml("workbook", sheets))));
  };
  EXPECT_EQ(
      with_sheets("<sheets><sheet name=\"a\" r:id=\"rId1\"/><sheet name=\"b\" r:id=\"rId1\"/></sheets>"),
      "sheet b is in another file, or twice in this one");
  EXPECT_EQ(with_sheets("<sheets><sheet name=\"a\x1b\" r:id=\"rId7\"/></sheets>").substr(0, 15),
            "xl/workbook.xml");
  EXPECT_EQ(with_sheets("<sheets><sheet name=\"a\" r:id=\"rId7\"/></sheets>"), "sheet a is nowhere");
  EXPECT_EQ(with_sheets("<sheets><sheet name=\"a\"/></sheets>"),
            "xl/workbook.xml: has a sheet that is nowhere, or twice");
  EXPECT_EQ(with_sheets("<sheets/><sheets/>"), "xl/workbook.xml: has two <sheets>");
  EXPECT_EQ(with_sheets("<mc:AlternateContent><mc:Choice><sheets/></mc:Choice></mc:AlternateContent>"),
            "xl/workbook.xml: has <sheets> in an unusual place");
  EXPECT_EQ(with_sheets("<sheets><sheet name=\"" + std::string(5000, 'a') + "\" r:id=\"rId1\"/></sheets>"),
            "xl/workbook.xml: has a sheet whose name is too long");
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "<sheet name=\"a\" r:id=\"rId1\"/>";
  EXPECT_EQ(with_sheets("<sheets>" + many + "</sheets>"), "xl/workbook.xml: has more than 1,000 sheets");
}

TEST(WorkbookReader, RefusesWhatIsNoXmlOfASpreadsheet) {
  const auto with_sheet = [](const std::string& xml) {
    return refusal(read(with_part(workbook_parts(""), "xl/worksheets/sheet1.xml", xml)));
  };
  const std::string here = "xl/worksheets/sheet1.xml: ";
  EXPECT_EQ(with_sheet("<!DOCTYPE worksheet [<!ENTITY a \"b\">]><worksheet/>"),
            here + "has a document type, which no spreadsheet writes");
  EXPECT_EQ(with_sheet("<worksheet/>"), here + "is <worksheet>, not <worksheet>");
  EXPECT_EQ(with_sheet(sheet_ml("chartsheet", "")), here + "is <chartsheet>, not <worksheet>");
  EXPECT_EQ(with_sheet("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>"),
            here + "is neither UTF-8 nor UTF-16");
  EXPECT_THAT(with_sheet("<?xml version=\"1.0\" encoding=\"gbk\"?><a/>"), HasSubstr(here));
  EXPECT_EQ(with_sheet(""), here + "line 1: no element found");
  EXPECT_EQ(with_sheet("<a"), here + "line 1: unclosed token");
  EXPECT_THAT(with_sheet(sheet_ml("worksheet", "<sheetData><row>")), HasSubstr("mismatched tag"));
  EXPECT_THAT(with_sheet(sheet_ml("worksheet", "<sheetData>&x;</sheetData>")), HasSubstr("undefined entity"));
  EXPECT_THAT(with_sheet(sheet_ml("worksheet", "<sheetData>\xff</sheetData>")), HasSubstr("not well-formed"));
  std::string deep;
  for (int i = 0; i < 70; ++i) deep += "<x>";
  EXPECT_EQ(with_sheet(sheet_ml("worksheet", deep)), here + "its elements are nested too deep");
  EXPECT_EQ(with_sheet(sheet_ml("worksheet", "<x a=\"" + std::string(3'000'000, 'x') + "\"/>")),
            here + "a tag is too long");
  EXPECT_EQ(with_sheet(sheet_ml("worksheet",
                                "<sheetData xmlns=\"http://purl.oclc.org/ooxml/spreadsheetml/main\"/>")),
            here + "mixes the transitional and the strict form");
}

TEST(WorkbookReader, PassesTheErrorsOfItsCallerOn) {
  const auto file = file_of(zip_of(workbook_parts(one_row)));
  const auto none = [](const Sheet& /*sheet*/) { return Status(); };
  const Status row = read_workbook(
      *file,
      [](const Sheet& /*sheet*/, SheetRow& /*row*/) {
        return Status(Error{ErrorCode::data, "own"});
      },
      none);
  EXPECT_EQ(row.error().message, "own");
  const Status sheet = read_workbook(
      *file, [](const Sheet& /*sheet*/, SheetRow& /*row*/) { return Status(); },
      [](const Sheet& /*sheet*/) {
        return Status(Error{ErrorCode::busy, "other"});
      });
  EXPECT_EQ(sheet.error().message, "other");
}

}  // namespace
}  // namespace qdedup::import
