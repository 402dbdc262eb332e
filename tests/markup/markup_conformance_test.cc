#include <algorithm>
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
#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "tests/support/conformance_data.h"

namespace qdedup::markup {
namespace {

struct LabelledPair {
  std::string small;
  std::string large;
  std::string label;
};

// Pairs of real questions, one of them in LaTeX, that were read one by one. The rules were made on one half
// of the groups of questions that pairs connect; the other half was held out.
class MarkupConformance : public testing::Test {
 protected:
  struct Counts {
    int all = 0;
    int equal = 0;
    int were_equal = 0;
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
      const auto [low, high] = std::minmax(root_of(pair.small), root_of(pair.large));
      roots_[high] = low;
    }
  }

  std::string root_of(std::string id) {
    while (roots_.contains(id) && roots_[id] != id) id = roots_[id];
    return id;
  }

  void read_bank(const std::filesystem::path& path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      const auto question = nlohmann::json::parse(line);
      texts_[question.at("id").dump()] = question.at("text").get<std::string>();
    }
  }

  [[nodiscard]] bool are_equal(const LabelledPair& pair, const Options& options) const {
    const auto parts = [&](const std::string& id) {
      return refine::parts_of(extract(texts_.at(id), options).text);
    };
    return refine::compare(parts(pair.small), parts(pair.large), {}).duplicate;
  }

  // Counts of each label, of one half of the groups.
  std::map<std::string, Counts> count(bool held_out) {
    std::map<std::string, Counts> counts;
    for (const LabelledPair& pair : pairs_) {
      if (is_held_out(root_of(pair.small)) != held_out) continue;
      Counts& of_label = counts[pair.label];
      ++of_label.all;
      of_label.equal += are_equal(pair, {.markup = Reading::automatic, .numbering = Numbering::drop}) ? 1 : 0;
      of_label.were_equal += are_equal(pair, {}) ? 1 : 0;
    }
    return counts;
  }

  static bool is_held_out(const std::string& root) { return std::stoull(root) % 7 % 2 == 1; }

  static void print(const std::string& part, const std::map<std::string, Counts>& counts) {
    for (const auto& [label, of_label] : counts) {
      std::cout << part << ' ' << label << ": " << of_label.equal << " of " << of_label.all << " equal, "
                << of_label.were_equal << " as plain texts\n";
    }
  }

  std::filesystem::path folder_ = conformance_data().parent_path();
  std::vector<LabelledPair> pairs_;
  std::map<std::string, std::string> roots_;
  std::map<std::string, std::string> texts_;
};

TEST_F(MarkupConformance, WritingsOfOneQuestionBecomeEqualAndNoOthers) {
  for (const bool held_out : {false, true}) {
    std::map<std::string, Counts> counts = count(held_out);
    print(held_out ? "held out," : "made on,", counts);
    // But for one pair of the former that differs in two distractors: marked alike, it passes the duplicate test.
    EXPECT_LE(counts["different"].equal, counts["different"].were_equal + (held_out ? 0 : 1));
    EXPECT_GE(counts["same"].equal * 100, counts["same"].all * 80);
  }
}

}  // namespace
}  // namespace qdedup::markup
