#include "review/decision_list.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/memory_source.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/workbook_file.h"

namespace qdedup::review {
namespace {

std::string place_of(const ListPlace& place) {
  return place.sheet == 0 ? std::to_string(place.line) : place.shown();
}

using Lines = std::vector<std::string>;

// "line: question>keeper decision note" of each row, "line: reason" of each problem, and the error, if any.
Lines seen_by(const std::function<Status(const TakeRow&, const TakeProblem&)>& reading) {
  Lines seen;
  const Status status = reading(
      [&](const ListedRow& row) {
        seen.push_back(place_of(row.place) + ": " + std::to_string(row.question) + ">" +
                       (row.keeper ? std::to_string(*row.keeper) : "-") + " " + row.decision + " " +
                       row.note);
        return Status();
      },
      [&](const ListPlace& place, const import::RowError& error) {
        seen.push_back(place_of(place) + ": " + shown(error));
      });
  if (!status.ok()) seen.push_back(status.error().message);
  return seen;
}

Lines read(const std::string& name, const std::string& bytes, ListUse use = ListUse::decisions) {
  return seen_by([&](const TakeRow& take, const TakeProblem& problem) {
    return read_list(import::LineReader(std::make_unique<MemorySource>(bytes), 0, name), use, take, problem);
  });
}

// The same of a workbook; errors without the path.
Lines read_workbook(const WorkbookParts& parts, ListUse use = ListUse::decisions) {
  const TemporaryFolder folder;
  const std::string path = folder.write("list.xlsx", zip_of(parts));
  Lines seen = seen_by([&](const TakeRow& take, const TakeProblem& problem) {
    return read_list(path, logs::Files(), use, take, problem);
  });
  if (!seen.empty() && seen.back().starts_with(path)) seen.back().erase(0, path.size() + 2);
  return seen;
}

// A row of texts, as XML.
std::string row_of(const Lines& texts, const std::string& attributes = "") {
  std::string row = "<row" + attributes + ">";
  for (const std::string& text : texts) row += text.empty() ? "<c/>" : "<c t=\"str\"><v>" + text + "</v></c>";
  return row + "</row>";
}

const std::string list_header = row_of({"delete_id", "keep_id", "decision", "note"});

Lines read_rows(const std::string& rows, const std::string& before = "", const std::string& behind = "") {
  return read_workbook(workbook_parts(before + "<sheetData>" + rows + "</sheetData>" + behind));
}

TEST(DecisionList, CsvWithQuotesGuardsAndAByteOrderMark) {
  EXPECT_EQ(
      read("a.csv",
           "\xEF\xBB\xBFnote,decision,keep_id,delete_id\r\n\"a\n\"\"b\"\"\",approve,1,2\r\n'=x,,3,4\r\n"),
      (Lines{"2: 2>1 approve a\n\"b\"", "4: 4>3  =x"}));
}

TEST(DecisionList, TsvWithAGuard) {
  EXPECT_EQ(read("a", "note\tdecision\tkeep_id\tdelete_id\n'=x\tREJECT \t1\t2\n"),
            (Lines{"2: 2>1 reject =x"}));
}

TEST(DecisionList, JsonLines) {
  EXPECT_EQ(read("a", "{\"delete_id\":2,\"keep_id\":\"1\",\"decision\":\"reset\",\"note\":null}\n\n{}\n7\n"),
            (Lines{"1: 2>1 reset ", "3: delete_id is missing", "4: not a JSON object"}));
}

TEST(DecisionList, RowsWithoutADecisionNeedNoIds) {
  EXPECT_EQ(read("a.csv", "delete_id,keep_id,decision\n6,5,reset\n,,\nsum,, \n"), Lines{"2: 6>5 reset "});
  EXPECT_EQ(read("a.tsv", "delete_id\tkeep_id\tdecision\n\t\t\n6\t5\t\n"), Lines{"3: 6>5  "});
  EXPECT_EQ(read("a.jsonl", "{\"decision\":\"\"}\n{\"decision\":\"reset\"}\n"),
            Lines{"2: delete_id is missing"});
  EXPECT_EQ(read_rows(list_header + row_of({"sum", "", "", "7"})), Lines());
}

TEST(DecisionList, IdsAloneWhereQuestionsAreEnough) {
  EXPECT_EQ(read("a", "\n7\r\n 8\nx\n", ListUse::questions),
            (Lines{"2: 7>-  ", "3: 8>-  ", "4: delete_id is not an integer from 1 to 2^63-1 (x)"}));
  EXPECT_EQ(read("a.csv", "delete_id\n7\n", ListUse::questions), (Lines{"2: 7>-  "}));
  EXPECT_EQ(read("a", "7\n").at(0), "a: the header names no column delete_id, but: 7");
}

TEST(DecisionList, NotesAreThoseThatTheAuditTakes) {
  const std::string columns = "delete_id,keep_id,decision,note\n";
  EXPECT_EQ(read("a.csv", columns + "2,1,reset,\"a\r\nb\"\n"), (Lines{"2: 2>1 reset a\nb"}));
  for (const std::string& note : {std::string("a\x1B[2J"), std::string(4097, 'n')}) {
    const Lines seen = read("a.csv", columns + "2,1,reset," + note + "\n3,1,reset,c\n");
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_TRUE(seen[0].starts_with("2: a note is UTF-8 without control characters")) << seen[0];
    EXPECT_EQ(seen[1], "3: 3>1 reset c");
  }
}

TEST(DecisionList, BadRowsAreToldOneByOne) {
  EXPECT_EQ(read("a.csv", "delete_id,keep_id,decision\n1,2\n0,2,reset\n3,\"x,\n4,2,\xff\n5,2,reject\n"),
            (Lines{"2: wrong number of fields (2 instead of 3)",
                   "3: delete_id is not an integer from 1 to 2^63-1 (0)", "4: quote is not closed (x,)",
                   "5: decision: text is not UTF-8", "6: 5>2 reject "}));
}

TEST(DecisionList, OfQuestionsMayBeEmpty) {
  EXPECT_EQ(read("ids", "", ListUse::questions), Lines());
  EXPECT_EQ(read("ids", "\n", ListUse::questions), Lines());
  EXPECT_EQ(read("ids.csv", "", ListUse::questions), Lines{"ids.csv: there is no header"});
}

TEST(DecisionList, WorkbooksAreReadAsTheOthers) {
  EXPECT_EQ(
      read_rows(row_of({"To decide until Friday"}) + "<row/>" +
                row_of({"note", "decision", "own", "keep_id", "delete_id"}) +
                row_of({"'=x", " Approve ", "mine", "1", "9007199254740993"}) +
                "<row><c/><c/><c><v>3</v></c><c><v>4</v></c><c><v>5</v></c></row>" + row_of({"", "", "sum"}) +
                row_of({"", "批准", "", "1", "x"})),
      (Lines{"row 4 of sheet deletions: 9007199254740993>1 approve =x", "row 5 of sheet deletions: 5>4  ",
             "row 7 of sheet deletions: delete_id is not an integer from 1 to 2^63-1 (x)"}));
}

TEST(DecisionList, WorkbooksCellsThatShowSomethingElseAreProblems) {
  EXPECT_EQ(read_rows(list_header + row_of({"2", "1", "reject"}) +
                      "<row><c><v>1234567890123456789</v></c><c><v>1</v></c></row>" +
                      "<row><c><v>3</v></c><c><v>1</v></c><c t=\"str\"><f>A1</f><v>approve</v></c></row>" +
                      "<row><c><v>4</v></c><c><v>1</v></c><c/><c/><c><f>A1</f><v>3</v></c></row>"),
            (Lines{"row 2 of sheet deletions: 2>1 reject ",
                   "row 3 of sheet deletions: delete_id was rounded by the spreadsheet, which keeps 15 "
                   "digits: take the list as it "
                   "was exported, with ids as text (A3)",
                   "row 4 of sheet deletions: decision is a formula, which is not calculated: paste it as a "
                   "value (C4)",
                   "row 5 of sheet deletions: 4>1  "}));
}

TEST(DecisionList, WorkbooksWithAListThatIsNotAsItLooksAreRefused) {
  const std::string row = row_of({"2", "1", "reject"});
  const std::string sheet = "sheet deletions: ";
  EXPECT_EQ(read_rows(row_of({"delete_id", "decision"})).back(),
            sheet + "the header names no column keep_id, but: delete_id | decision");
  EXPECT_EQ(read_rows(row_of({"delete_id", "keep_id", "decision", "decision"})).back(),
            sheet + "the header names the column decision twice");
  EXPECT_EQ(read_rows(row_of({"delete_id", "keep_id", "decision"}, " hidden=\"1\"") + row).back(),
            sheet + "the header, row 1, is hidden: show it");
  EXPECT_EQ(read_rows("<row><c t=\"str\"><v>delete_id</v></c><c t=\"str\"><v>keep_id</v></c>"
                      "<c t=\"str\"><f>A1</f><v>decision</v></c></row>")
                .back(),
            sheet + "the header, C1, is a formula, which is not calculated: paste it as a value");
  EXPECT_EQ(read_rows(list_header + row, "<cols><col min=\"3\" max=\"9\" hidden=\"1\"/></cols>").back(),
            sheet + "the column decision is hidden: show it");
  EXPECT_EQ(read_rows(list_header + row, "<cols><col min=\"4\" max=\"9\" hidden=\"1\"/></cols>").back(),
            "row 2 of sheet deletions: 2>1 reject ");
  const auto merged = [&](const std::string& range) {
    return read_rows(list_header + row, "", "<mergeCells><mergeCell ref=\"" + range + "\"/></mergeCells>")
        .back();
  };
  EXPECT_EQ(merged("C2:C3"), sheet + "C2:C3 are merged: unmerge them");
  EXPECT_EQ(merged("A1:B1"), sheet + "A1:B1 are merged: unmerge them");
  EXPECT_EQ(merged("E2:F2"), "row 2 of sheet deletions: 2>1 reject ") << "beside the list";
  EXPECT_EQ(merged("A3:F3"), "row 2 of sheet deletions: 2>1 reject ") << "below the list";
  EXPECT_EQ(
      read_rows(list_header +
                "<row><c><v>2</v></c><c><v>1</v></c><c/><c/><c><f t=\"array\" ref=\"C2:E2\">X</f></c></row>")
          .back(),
      sheet + "C2:E2 are filled by a formula, which is not calculated: paste them as values");
  EXPECT_EQ(read_rows(row_of({"delete", "keep"})).back(),
            "no sheet has a row that names the columns of a list, such as delete_id");
}

TEST(DecisionList, RowsThatAFilterHidesCount) {
  const std::string rows =
      list_header + row_of({"2", "1", "reject"}, " hidden=\"1\"") + row_of({"4", "3", ""}, " hidden=\"1\"");
  EXPECT_EQ(read_rows(rows, "<sheetPr filterMode=\"1\"/>"),
            (Lines{"row 2 of sheet deletions: 2>1 reject ", "row 3 of sheet deletions: 4>3  "}));
  EXPECT_EQ(read_rows(rows).back(),
            "sheet deletions: row 2 is hidden, though by no filter, and would count: show all rows");
  EXPECT_EQ(read_rows(list_header + row_of({"4", "3", ""}, " hidden=\"1\"")).back(),
            "row 2 of sheet deletions: 4>3  ");
}

TEST(DecisionList, SheetsOfAWorkbookCountWhereTheyHoldAList) {
  WorkbookParts parts =
      workbook_parts("<sheetData>" + list_header + row_of({"2", "1", "reject"}) + "</sheetData>");
  const auto read_second = [&](const std::string& attributes, const std::string& rows) {
    WorkbookParts both = parts;
    both[1].second = sheet_ml("workbook", "<sheets><sheet name=\"a\" r:id=\"rId9\"" + attributes +
                                              "/><sheet name=\"b\" r:id=\"rId1\"/></sheets>");
    both[2].second = relations(relation("rId1", "worksheet", "worksheets/sheet1.xml") +
                               relation("rId9", "worksheet", "worksheets/a.xml"));
    both.emplace_back("xl/worksheets/a.xml", sheet_ml("worksheet", "<sheetData>" + rows + "</sheetData>"));
    return read_workbook(both);
  };
  const Lines one = {"row 2 of sheet b: 2>1 reject "};
  EXPECT_EQ(read_second("", list_header + row_of({"4", "3", "approve"})),
            (Lines{"row 2 of sheet a: 4>3 approve ", "row 2 of sheet b: 2>1 reject "}));
  EXPECT_EQ(read_second("", row_of({"reason", "deletions"}) + row_of({"polarity", "7"})), one);
  EXPECT_EQ(read_second(" state=\"hidden\"", row_of({"reason", "deletions"})), one);
  EXPECT_EQ(read_second(" state=\"hidden\"", list_header),
            (Lines{"sheet a: holds a list, but is hidden: show it, or delete it"}));
}

TEST(DecisionList, AWorkbookOfQuestionsNeedsTheirIdsOnly) {
  EXPECT_EQ(
      read_workbook(workbook_parts("<sheetData>" + row_of({"delete_id"}) + row_of({"7"}) + "</sheetData>"),
                    ListUse::questions),
      (Lines{"row 2 of sheet deletions: 7>-  "}));
}

}  // namespace
}  // namespace qdedup::review
