// Iterations on end over random banks, logs, edits and removals, against the slow twin; and the direct
// witness after each.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "tests/reference/duplicates.h"
#include "tests/support/random_world.h"
#include "tests/support/rules.h"

namespace qdedup::iteration {
namespace {

class World : public RandomWorld {
 public:
  using RandomWorld::RandomWorld;

  // Every open deletion has a kept question in the bank, with a smaller id, that passes the test with it
  // directly.
  void expect_direct_witness() {
    const std::vector<db::DeletionRow> open = sample_.deletions({.statuses = {db::DeletionStatus::pending}});
    for (const db::DeletionRow& row : open) {
      EXPECT_LT(row.keeper, row.question);
      EXPECT_FALSE(std::ranges::any_of(open, [&](const auto& other) { return other.question == row.keeper; }))
          << row.keeper << " is a keeper and listed itself";
      ASSERT_TRUE(bank_.contains(row.keeper));
      if (!bank_.contains(row.question)) continue;
      EXPECT_TRUE(reference::are_duplicates(bank_[row.keeper], bank_[row.question], sample_.settings.refine));
    }
  }
};

constexpr unsigned usual_iterations = 24;

// The usual rule, or any other one.
refine::DuplicateSettings rule_in(unsigned seed) {
  const std::vector<refine::DuplicateSettings> rules = all_rules(80);
  return seed < usual_iterations ? refine::DuplicateSettings() : rules[seed % rules.size()];
}

class RandomIterations : public testing::TestWithParam<unsigned> {};

TEST_P(RandomIterations, AgreeWithTheTwin) {
  const std::uint64_t memory_bytes = GetParam() % 2 == 0 ? 1 : 1'000 * GetParam();
  World world(GetParam(), GetParam() % 3 + 1, memory_bytes, rule_in(GetParam()));
  for (int number = 0; number < 10; ++number) {
    world.change_bank();
    world.iterate(number);
    world.expect_direct_witness();
    if (testing::Test::HasFailure()) FAIL() << "in iteration " << number + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomIterations, testing::Range(0U, usual_iterations));
INSTANTIATE_TEST_SUITE_P(OtherRules, RandomIterations,
                         testing::Range(usual_iterations, usual_iterations + 32));

}  // namespace
}  // namespace qdedup::iteration
