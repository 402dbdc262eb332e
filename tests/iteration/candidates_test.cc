#include "iteration/candidates.h"

#include <gtest/gtest.h>

namespace qdedup::iteration {
namespace {

using Sketches = std::vector<std::optional<QuestionSketch>>;

constexpr QuestionSketch a{.once = 0b1111, .signs = 1, .han_length = 4};
constexpr QuestionSketch b{.once = 0b1111'0000, .signs = 1, .han_length = 4};
constexpr QuestionSketch other_signs{.once = 0b1111, .signs = 2, .han_length = 4};

using Groups = std::vector<std::uint32_t>;

Groups groups(const Sketches& sketches) { return candidate_groups(sketches, {}); }

TEST(Candidates, ComeInPairs) {
  EXPECT_EQ(groups({}), Groups());
  EXPECT_EQ(groups({a}), Groups({0}));
  EXPECT_EQ(groups({a, b, a}), Groups({1, 0, 1}));
  EXPECT_EQ(groups({b, a, other_signs}), Groups({0, 0, 0}));
}

TEST(Candidates, WithOtherSignsAreOthers) {
  EXPECT_EQ(groups({other_signs, a, other_signs, a, b}), Groups({2, 1, 2, 1, 0}));
}

TEST(Candidates, HaveText) { EXPECT_EQ(groups({std::nullopt, a, std::nullopt}), Groups({0, 0, 0})); }

}  // namespace
}  // namespace qdedup::iteration
