#include <algorithm>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "review/export.h"
#include "tests/review/hostile_text.h"
#include "tests/review/python_script.h"
#include "tests/review/sample_list.h"

namespace qdedup::review {
namespace {

std::vector<DeletionEntry> hostile_list() {
  std::mt19937_64 random(20261120);
  std::vector<DeletionEntry> entries;
  for (QuestionId id = 2; id < 2000; ++id) {
    auto entry = sample_pair(id, hostile_text(random), hostile_text(random));
    entry.row.note = hostile_text(random);
    entry.row.reasons = refine::Reasons(hostile_text(random));
    entry.row.risk = refine::Risk(static_cast<int>(random() % 10'001));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string exported_whole(const std::vector<DeletionEntry>& entries, ExportFormat format) {
  std::ostringstream out;
  EXPECT_TRUE(export_list(stream_of(entries), format, out).ok());
  return out.str();
}

std::string guarded(const std::string& text) {
  static const std::regex formula(
      "'*([\t\r]|([ \t\n\v\f\r]|\xC2[\x85\xA0]|\xE1\x9A\x80|\xE1\xA0\x8E|\xE2\x80[\x80-\x8D\xA8\xA9\xAF]|"
      "\xE2\x81[\x9F\xA0]|\xE3\x80\x80|\xEF\xBB\xBF)*([-=+@]|\xEF\xBC[\x9D\x8B\x8D]|\xEF\xBC\xA0))");
  const bool found = std::regex_search(text, formula, std::regex_constants::match_continuous);
  return found ? "'" + text : text;
}

TEST(ListRoundTrip, PythonReadsEveryByteOfTheCsv) {
  const auto entries = hostile_list();
  const auto rows = read_by_python("read_csv.py", exported_whole(entries, ExportFormat::csv));
  ASSERT_EQ(rows.size(), entries.size() + 1);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& row = rows[i + 1];
    ASSERT_EQ(row.size(), 14U);
    EXPECT_EQ(row[1], std::to_string(entries[i].question.id));
    EXPECT_EQ(row[7], guarded(entries[i].row.reasons.text()));
    EXPECT_EQ(row[8], text_of(entries[i].row.risk));
    EXPECT_EQ(row[11], guarded(entries[i].row.note));
    EXPECT_EQ(row[12], guarded(entries[i].question.text));
    EXPECT_EQ(row[13], guarded(entries[i].keeper.text));
  }
}

TEST(ListRoundTrip, JsonLinesKeepEveryByte) {
  const auto entries = hostile_list();
  std::istringstream lines(exported_whole(entries, ExportFormat::jsonl));
  std::string line;
  for (const auto& entry : entries) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto json = nlohmann::json::parse(line, nullptr, false);
    ASSERT_TRUE(json.is_object()) << line;
    EXPECT_EQ(json["reasons"], entry.row.reasons.text());
    EXPECT_NE(line.find("\"risk\":" + text_of(entry.row.risk) + ","), std::string::npos);
    EXPECT_EQ(json["note"], entry.row.note);
    EXPECT_EQ(json["delete_text"], entry.question.text);
    EXPECT_EQ(json["keep_text"], entry.keeper.text);
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(ListRoundTrip, TsvHasOneLineForEachEntryAndThirteenTabsInIt) {
  const auto entries = hostile_list();
  std::istringstream lines(exported_whole(entries, ExportFormat::tsv));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(std::ranges::count(line, '\t'), 13) << line;
    EXPECT_EQ(line.find('\r'), std::string::npos) << line;
  }
  EXPECT_EQ(count, entries.size() + 1);
}

}  // namespace
}  // namespace qdedup::review
