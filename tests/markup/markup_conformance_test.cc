#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "markup/extract.h"
#include "refine/contrast.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "tests/support/conformance_data.h"

namespace qdedup::markup {
namespace {

constexpr Options all_rules{.markup = Reading::automatic, .numbering = Numbering::drop};

struct LabelledPair {
  std::string small;
  std::string large;
  std::string label;
};

// Pairs of real questions, one of them in LaTeX, that were read one by one.
class MarkupConformance : public testing::Test {
 protected:
  struct Counts {
    int all = 0;
    int equal = 0;
    int safe = 0;          // of these
    int with_numbers = 0;  // numbering kept
    int as_plain = 0;
  };

  void SetUp() override {
    if (!std::filesystem::exists(folder_ / "markup"))
      GTEST_SKIP() << "no conformance data in " << folder_ / "markup";
    read_pairs();
    for (const std::string bank : {"dev", "markup"}) read_bank(folder_ / bank / "bank.jsonl");
  }

  void read_pairs() {
    std::ifstream file(folder_ / "markup/pairs.tsv");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream cells(line);
      LabelledPair& pair = pairs_.emplace_back();
      std::getline(cells, pair.small, '\t');
      std::getline(cells, pair.large, '\t');
      std::getline(cells, pair.label, '\t');
    }
  }

  void read_bank(const std::filesystem::path& path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      const auto question = nlohmann::json::parse(line);
      const std::string& text = texts_[question.at("id").dump()] = question.at("text").get<std::string>();
      bank_.add(extract(text, all_rules).text);
    }
  }

  [[nodiscard]] bool are_equal(const LabelledPair& pair, const Options& options) const {
    const auto parts = [&](const std::string& id) {
      return refine::parts_of(extract(texts_.at(id), options).text);
    };
    return refine::compare(parts(pair.small), parts(pair.large), {}).duplicate;
  }

  [[nodiscard]] bool is_safe(const LabelledPair& pair) const {
    const std::string small = extract(texts_.at(pair.small), all_rules).text;
    const std::string large = extract(texts_.at(pair.large), all_rules).text;
    return refine::contrast({large}, {small}, bank_, {}).confidence == refine::Confidence::safe;
  }

  // Of each label.
  std::map<std::string, Counts> count() {
    std::map<std::string, Counts> counts;
    for (const LabelledPair& pair : pairs_) {
      Counts& of_label = counts[pair.label];
      ++of_label.all;
      const bool equal = are_equal(pair, all_rules);
      of_label.equal += equal ? 1 : 0;
      of_label.safe += equal && is_safe(pair) ? 1 : 0;
      of_label.with_numbers += are_equal(pair, {.markup = Reading::automatic}) ? 1 : 0;
      of_label.as_plain += are_equal(pair, {}) ? 1 : 0;
    }
    return counts;
  }

  std::filesystem::path folder_ = conformance_data().parent_path();
  std::vector<LabelledPair> pairs_;
  std::map<std::string, std::string> texts_;
  refine::CharacterCounts bank_;  // of the extracted texts
};

TEST_F(MarkupConformance, WritingsOfOneQuestionBecomeEqualAndNoOthers) {
  std::map<std::string, Counts> counts = count();
  for (const auto& [label, of_label] : counts) {
    std::cout << label << ": " << of_label.equal << " of " << of_label.all << " equal (" << of_label.safe
              << " safe), " << of_label.as_plain << " as plain texts\n";
  }
  // Nearly all of the others differ in a sign by a slip of transcription.
  EXPECT_GE(counts["same"].equal, 251);
  EXPECT_GE(counts["same"].safe * 100, counts["same"].equal * 89);
  EXPECT_EQ(counts["different"].safe, 0);
  EXPECT_EQ(counts["different"].with_numbers, counts["different"].as_plain);
  // One pair differs in two distractors: with options marked alike, it passes the duplicate test.
  EXPECT_LE(counts["different"].equal, counts["different"].as_plain + 1);
}

}  // namespace
}  // namespace qdedup::markup
