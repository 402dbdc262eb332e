#include "review/decision_list.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/memory_source.h"

namespace qdedup::review {
namespace {

// "line: question>keeper decision note" of each row, "line: reason" of each problem, and the error, if any.
std::vector<std::string> read(const std::string& name, const std::string& bytes,
                              ListUse use = ListUse::decisions) {
  std::vector<std::string> seen;
  const Status status = read_list(
      import::LineReader(std::make_unique<MemorySource>(bytes), 0, name), use,
      [&](const ListedRow& row) {
        seen.push_back(std::to_string(row.line) + ": " + std::to_string(row.question) + ">" +
                       (row.keeper ? std::to_string(*row.keeper) : "-") + " " + row.decision + " " +
                       row.note);
        return Status();
      },
      [&](std::uint64_t line, const import::RowError& error) {
        seen.push_back(std::to_string(line) + ": " + shown(error));
      });
  if (!status.ok()) seen.push_back(status.error().message);
  return seen;
}

using Lines = std::vector<std::string>;

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

TEST(DecisionList, IdsAloneWhereQuestionsAreEnough) {
  EXPECT_EQ(read("a", "\n7\r\n 8\nx\n", ListUse::questions),
            (Lines{"2: 7>-  ", "3: 8>-  ", "4: delete_id is not an integer from 1 to 2^63-1 (x)"}));
  EXPECT_EQ(read("a.csv", "delete_id\n7\n", ListUse::questions), (Lines{"2: 7>-  "}));
  EXPECT_EQ(read("a", "7\n").at(0), "a: the header names no column delete_id");
}

TEST(DecisionList, NotesAreThoseThatTheAuditTakes) {
  const std::string header = "delete_id,keep_id,decision,note\n";
  EXPECT_EQ(read("a.csv", header + "2,1,reset,\"a\r\nb\"\n"), (Lines{"2: 2>1 reset a\nb"}));
  for (const std::string& note : {std::string("a\x1B[2J"), std::string(4097, 'n')}) {
    const Lines seen = read("a.csv", header + "2,1,reset," + note + "\n3,1,reset,c\n");
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_TRUE(seen[0].starts_with("2: a note is UTF-8 without control characters")) << seen[0];
    EXPECT_EQ(seen[1], "3: 3>1 reset c");
  }
}

TEST(DecisionList, BadRowsAreToldOneByOne) {
  EXPECT_EQ(read("a.csv", "delete_id,keep_id,decision\n1,2\n0,2,\n3,\"x,\n4,2,\xff\n5,2,reject\n"),
            (Lines{"2: wrong number of fields (2 instead of 3)",
                   "3: delete_id is not an integer from 1 to 2^63-1 (0)", "4: quote is not closed (x,)",
                   "5: decision: text is not UTF-8", "6: 5>2 reject "}));
}

}  // namespace
}  // namespace qdedup::review
