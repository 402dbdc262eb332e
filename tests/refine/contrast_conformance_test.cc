#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "refine/contrast.h"
#include "tests/support/conformance_data.h"

namespace qdedup::refine {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '\t');) cells.push_back(cell);
  return cells;
}

std::vector<Row> read_rows(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) row[names[i]] = cells[i];
  }
  return rows;
}

// Pairs of a real bank that were read one by one.
class ContrastConformance : public testing::Test {
 protected:
  struct Counts {
    int safe = 0;
    int all = 0;
    int option_reason = 0;
  };

  void SetUp() override {
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "no conformance data in " << folder_;
    read_bank();
    for (const Row& row : read_rows(folder_ / "pairs_labelled.tsv")) count(row);
  }

  void read_bank() {
    std::ifstream file(folder_ / "bank.jsonl");
    for (std::string line; std::getline(file, line);) {
      const auto question = nlohmann::json::parse(line);
      const auto& text = texts_[question.at("id").dump()] = question.at("text").get<std::string>();
      bank_.add(text);
    }
  }

  void count(const Row& row) {
    const Contrast result =
        contrast({texts_.at(row.at("large_id"))}, {texts_.at(row.at("small_id"))}, bank_, {});
    Counts& counts = counts_[row.at("subject")][row.at("label")];
    ++counts.all;
    counts.safe += result.confidence == Confidence::safe ? 1 : 0;
    const std::string reasons = ";" + reasons_of(result).text() + ";";
    counts.option_reason += reasons.find(";option") != std::string::npos ? 1 : 0;
  }

  // Thousandths of the safe pairs that are the same.
  int precision_of_safe(const std::string& subject) {
    const int same = counts_[subject]["same"].safe;
    return same * 1000 / (same + counts_[subject]["different"].safe);
  }

  int percent_of_same_kept_safe(const std::string& subject) {
    return counts_[subject]["same"].safe * 100 / counts_[subject]["same"].all;
  }

  const std::filesystem::path folder_ = conformance_data();
  std::map<std::string, std::string> texts_;
  CharacterCounts bank_;
  std::map<std::string, std::map<std::string, Counts>> counts_;
};

TEST_F(ContrastConformance, MeetsItsTargetsOnLabelledPairs) {
  EXPECT_GE(precision_of_safe("math"), 995);
  EXPECT_GE(percent_of_same_kept_safe("math"), 90);
  EXPECT_GE(precision_of_safe("text"), 970);
  EXPECT_GE(percent_of_same_kept_safe("text"), 80);
  for (auto& [subject, labels] : counts_) {
    EXPECT_LE(labels["reordered"].safe * 100, labels["reordered"].all * 2) << subject;
    EXPECT_GE(labels["reordered"].option_reason * 100, labels["reordered"].all * 95) << subject;
  }
}

}  // namespace
}  // namespace qdedup::refine
