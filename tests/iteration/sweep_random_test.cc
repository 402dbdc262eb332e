// Sweeps on end over random banks, edits, removals and rejections, against the slow twin.

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/decisions.h"
#include "tests/reference/iterating.h"
#include "tests/support/rules.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

constexpr unsigned usual_seeds = 48;

// The usual rule, or any other one.
refine::DuplicateSettings rule_of(unsigned seed) {
  const std::vector<refine::DuplicateSettings> rules = all_rules(80);
  return seed < usual_seeds ? refine::DuplicateSettings() : rules[seed % rules.size()];
}

class SweptWorld {
 public:
  SweptWorld(unsigned seed, SweepLimits limits) : random_(seed), limits_(limits), twin_(1, rule_of(seed)) {
    sample_.settings.refine = rule_of(seed);
    sample_.settings.resources.threads = seed % 3 + 1;
  }

  void change_bank() {
    std::map<QuestionId, std::string> changes;
    for (int i = 0; i < (bank_.empty() ? 70 : 6); ++i) changes[random_id()] = random_text();
    sample_.put(changes);
    for (const auto& [id, text] : changes) bank_[id] = text;
    for (int i = 0; i < 2; ++i) {
      if (const QuestionId gone = random_id(); bank_.erase(gone) > 0) sample_.remove(gone);
    }
  }

  void sweep() {
    const auto iteration = sample_.sweep(limits_);
    const reference::Iterations::Result expected = twin_.sweep(bank_);
    std::vector<refine::Deletion> listed;
    if (iteration) {
      EXPECT_EQ(iteration->kind, "sweep");
      EXPECT_EQ(iteration->counts.withdrawn, expected.withdrawn);
      for (const db::DeletionRow& row : sample_.deletions({.iteration = iteration->id}))
        listed.push_back({row.question, row.keeper});
    }
    EXPECT_EQ(listed, expected.listed);
    std::map<QuestionId, QuestionId> open;
    for (const db::DeletionRow& row : sample_.deletions({.statuses = {db::DeletionStatus::pending}}))
      open[row.question] = row.keeper;
    EXPECT_EQ(open, expected.open);
    EXPECT_EQ(sample_.representatives(), twin_.representatives());
  }

  // Of some open deletions.
  void reject() {
    for (const db::DeletionRow& row : sample_.deletions({.statuses = {db::DeletionStatus::pending}})) {
      if (choose(5) != 0 || !twin_.decide(bank_, row.question, row.keeper, "reject")) continue;
      const db::DecisionRequest request{row.id, db::Decision::reject, ""};
      const auto report = must(sample_.writer.write([&](db::Store& store) {
        return db::Decisions(store).take({&request, 1}, {"test", ""}, db::OnRefusal::change_nothing, false);
      }));
      EXPECT_EQ(report.changed_total(), 1U);
      EXPECT_EQ(sample_.representatives(), twin_.representatives());
    }
  }

 private:
  std::size_t choose(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }
  QuestionId random_id() { return static_cast<QuestionId>(choose(90) + 1); }

  // Similar to one another in many ways, with three different signs.
  std::string random_text() {
    static const std::vector<std::string> characters = {"甲", "乙", "丙"};
    std::string text;
    for (std::size_t i = 0; i < 5 + choose(3); ++i) text += characters[choose(8) < 6 ? 0 : choose(3)];
    if (choose(4) == 0) text += std::to_string(choose(2));
    return choose(30) == 0 ? "" : text;
  }

  std::mt19937_64 random_;
  SweepLimits limits_;
  SampleState sample_;
  std::map<QuestionId, std::string> bank_;
  reference::Iterations twin_;
};

class RandomSweeps : public testing::TestWithParam<unsigned> {};

// A group in one block, in parts of one block, in blocks of one part, in parts of several blocks.
SweepLimits limits_of(unsigned seed) {
  SweepLimits limits{.questions_per_pass = seed % 2 == 0 ? 1U : 1000U};
  if (seed % 8 >= 4) limits.block = seed % 3 + 1;
  if (seed % 4 >= 2) limits.indexed_at_once = seed % 8 >= 4 ? 3 * limits.block : seed % 7 + 1;
  if (seed % 5 < 3) limits.large_group = 2;
  return limits;
}

TEST_P(RandomSweeps, AgreeWithTheTwin) {
  SweptWorld world(GetParam(), limits_of(GetParam()));
  for (int number = 0; number < 10; ++number) {
    world.change_bank();
    world.sweep();
    if (number % 2 == 0) world.reject();
    if (testing::Test::HasFailure()) FAIL() << "in sweep " << number + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSweeps, testing::Range(0U, usual_seeds));
INSTANTIATE_TEST_SUITE_P(OtherRules, RandomSweeps, testing::Range(usual_seeds, usual_seeds + 64));

}  // namespace
}  // namespace qdedup::iteration
