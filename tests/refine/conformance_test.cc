#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "refine/duplicate_test.h"
#include "refine/keepers.h"
#include "refine/unicode.h"
#include "tests/support/conformance_data.h"

namespace qdedup::refine {
namespace {

using Bank = std::map<QuestionId, Parts>;

Bank read_bank(const std::filesystem::path& path) {
  Bank bank;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto question = nlohmann::json::parse(line);
    bank[question.at("id")] = parts_of(question.at("text").get<std::string>());
  }
  return bank;
}

// A real bank, and what the rules make of it.
class Conformance : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "no conformance data in " << folder_;
    bank_ = read_bank(folder_ / "bank.jsonl");
  }

  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }

  const std::filesystem::path folder_ = conformance_data();
  Bank bank_;
};

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream stream(line);
  for (std::string column; std::getline(stream, column, '\t');) columns.push_back(column);
  return columns;
}

// The lines of a gzip file.
std::istringstream unpacked(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("gzip -dc '" + path + "'").c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot run gzip");
  std::string bytes;
  char buffer[1 << 16];
  while (const std::size_t count = fread(buffer, 1, sizeof buffer, pipe.get())) bytes.append(buffer, count);
  return std::istringstream(bytes);
}

TEST_F(Conformance, EveryQuestionHasTheExpectedParts) {
  std::istringstream file = unpacked(path("parts.tsv.gz"));
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    std::vector<std::string> columns = columns_of(line);
    columns.resize(3);  // an empty Han part leaves no third column
    const Parts& found = bank_.at(std::stoll(columns[0]));
    ASSERT_EQ(nlohmann::json(sign_list(found)), nlohmann::json::parse(columns[1])) << columns[0];
    ASSERT_EQ(to_utf8(found.han), columns[2]) << columns[0];
  }
  EXPECT_EQ(rows, bank_.size());
}

TEST_F(Conformance, EveryPairHasTheExpectedDistance) {
  std::ifstream file(path("pairs.tsv"));
  std::string line;
  std::getline(file, line);
  std::size_t rows = 0;
  for (; std::getline(file, line); ++rows) {
    const std::vector<std::string> columns = columns_of(line);
    const Parts& a = bank_.at(std::stoll(columns.at(0)));
    const Parts& b = bank_.at(std::stoll(columns.at(1)));
    const Comparison found = compare(a, b, {});
    ASSERT_TRUE(found.duplicate) << line;
    ASSERT_EQ(found.distance, std::stoull(columns.at(2))) << line;
    ASSERT_EQ(found.length, std::stoull(columns.at(3))) << line;
  }
  EXPECT_EQ(rows, 2000U);
}

struct SweepRow {
  Deletion deletion;
  std::size_t distance;
  std::size_t length;

  friend bool operator==(const SweepRow&, const SweepRow&) = default;
};

std::vector<SweepRow> read_sweep(const std::string& path) {
  std::vector<SweepRow> rows;
  std::ifstream file(path);
  SweepRow row{};
  while (file >> row.deletion.question >> row.deletion.keeper >> row.distance >> row.length)
    rows.push_back(row);
  return rows;
}

// The whole bank as one cluster. Only questions with equal signs can be duplicates, so each group of them is
// a cluster of its own; of a very large one only the questions in `named` are taken, as the others change
// nothing.
std::vector<std::vector<QuestionId>> sweep_clusters(const Bank& bank, const std::set<QuestionId>& named) {
  std::map<std::u32string_view, std::vector<QuestionId>> groups;
  for (const auto& [id, parts] : bank) groups[parts.signs].push_back(id);
  std::vector<std::vector<QuestionId>> clusters;
  for (auto& [signs, ids] : groups) {
    if (ids.size() > 1000) std::erase_if(ids, [&](QuestionId id) { return !named.contains(id); });
    clusters.push_back(std::move(ids));
  }
  return clusters;
}

TEST_F(Conformance, TheSweepOfTheBankGivesTheExpectedDeletions) {
  const std::vector<SweepRow> expected = read_sweep(path("expected/sweep.tsv"));
  std::set<QuestionId> named;
  for (const SweepRow& row : expected) named.insert({row.deletion.question, row.deletion.keeper});

  const auto compared = [&](QuestionId a, QuestionId b) { return compare(bank_.at(a), bank_.at(b), {}); };
  const KeeperOracle oracle{
      .in_bank = [](QuestionId) { return true; },
      .duplicates = [&](QuestionId a, QuestionId b) { return compared(a, b).duplicate; },
      .rejected = [](QuestionId, QuestionId) { return false; },
  };
  std::vector<SweepRow> found;
  for (const Deletion& deletion : choose_keepers(sweep_clusters(bank_, named), {}, oracle).deletions) {
    const Comparison comparison = compared(deletion.question, deletion.keeper);
    found.push_back({deletion, comparison.distance, comparison.length});
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_TRUE(found == expected);
}

}  // namespace
}  // namespace qdedup::refine
