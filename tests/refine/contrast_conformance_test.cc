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

// Pairs that were read one by one.
class LabelledPairs : public testing::Test {
 protected:
  struct Counts {
    int safe = 0;
    int all = 0;
    int option_reason = 0;
  };

  void contrast_pairs(const std::filesystem::path& bank, const std::filesystem::path& pairs) {
    read_bank(bank);
    for (const Row& row : read_rows(pairs)) count(row);
  }

  void read_bank(const std::filesystem::path& path) {
    std::ifstream file(path);
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

  std::map<std::string, std::string> texts_;
  CharacterCounts bank_;
  std::map<std::string, std::map<std::string, Counts>> counts_;
};

// Those of the project's own making differ in nearly each word that can tell two questions apart, far more
// often than those of a bank do. The weights are fitted to them, too.
TEST_F(LabelledPairs, OfOwnMakingAreSafeOrDoubtfulAsTheyShould) {
  const std::filesystem::path folder = QDEDUP_SOURCE_DIR "/tests/refine/labelled";
  contrast_pairs(folder / "bank.jsonl", folder / "pairs.tsv");
  EXPECT_GE(percent_of_same_kept_safe("math"), 65);
  EXPECT_GE(percent_of_same_kept_safe("text"), 20);
  EXPECT_LE(counts_["math"]["different"].safe, 6);
  EXPECT_LE(counts_["text"]["different"].safe, 2);
  EXPECT_EQ(counts_["text"]["reordered"].safe, 0);
}

class ContrastConformance : public LabelledPairs {
 protected:
  void SetUp() override {
    const std::filesystem::path folder = conformance_data();
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no conformance data in " << folder;
    contrast_pairs(folder / "bank.jsonl", folder / "pairs_labelled.tsv");
  }
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
