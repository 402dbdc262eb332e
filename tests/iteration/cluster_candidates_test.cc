#include "iteration/cluster_candidates.h"

#include <random>

#include <gtest/gtest.h>

#include "refine/duplicate_test.h"

namespace qdedup::iteration {
namespace {

using Sketches = std::vector<std::optional<QuestionSketch>>;

constexpr QuestionSketch like_a{.once = 0b1111, .signs = 1, .han_length = 4};
constexpr QuestionSketch like_b{.once = 0b1111'0000, .signs = 1, .han_length = 4};
constexpr QuestionSketch other_signs{.once = 0b1111, .signs = 2, .han_length = 4};

using Groups = std::vector<std::uint32_t>;

Groups groups(const Sketches& sketches) { return candidate_groups(sketches, {}); }

TEST(Candidates, ComeInPairs) {
  EXPECT_EQ(groups({}), Groups());
  EXPECT_EQ(groups({like_a}), Groups({0}));
  EXPECT_EQ(groups({like_a, like_b, like_a}), Groups({1, 0, 1}));
  EXPECT_EQ(groups({like_b, like_a, other_signs}), Groups({0, 0, 0}));
}

TEST(Candidates, WithOtherSignsAreOthers) {
  EXPECT_EQ(groups({other_signs, like_a, other_signs, like_a, like_b}), Groups({2, 1, 2, 1, 0}));
}

// Some that are alike, some that are not, of a few signs.
Sketches random_sketches(std::mt19937_64& random) {
  Sketches sketches(random() % 60);
  for (std::optional<QuestionSketch>& sketch : sketches) {
    if (random() % 10 == 0) continue;
    const std::uint64_t characters = std::uint64_t{0xFF} << (random() % 12 * 5);
    sketch = {.once = characters, .signs = static_cast<std::uint32_t>(random() % 4), .han_length = 8};
  }
  return sketches;
}

TEST(Candidates, AreAllThatMayBeDuplicates) {
  std::mt19937_64 random(20261120);
  for (int round = 0; round < 2000; ++round) {
    const Sketches sketches = random_sketches(random);
    const Groups exact = groups(sketches);
    const Groups few_looks = candidate_groups(sketches, {}, 1 + random() % 4);
    for (std::size_t i = 0; i < sketches.size(); ++i) {
      bool may_be = false;
      for (std::size_t other = 0; other < sketches.size() && sketches[i]; ++other) {
        const bool is_pair =
            other != i && sketches[other] && refine::may_be_duplicates(*sketches[i], *sketches[other], {});
        may_be = may_be || is_pair;
        if (is_pair) {
          ASSERT_EQ(exact[i], exact[other]);
          ASSERT_EQ(few_looks[i], few_looks[other]);
        }
      }
      ASSERT_EQ(exact[i] != 0, may_be) << round;
      ASSERT_TRUE(few_looks[i] != 0 || !may_be) << round;
      ASSERT_TRUE(few_looks[i] == 0 || sketches[i]) << round;
    }
  }
}

TEST(Candidates, HaveText) { EXPECT_EQ(groups({std::nullopt, like_a, std::nullopt}), Groups({0, 0, 0})); }

}  // namespace
}  // namespace qdedup::iteration
