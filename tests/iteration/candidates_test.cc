#include "iteration/candidates.h"

#include <gtest/gtest.h>

namespace qdedup::iteration {
namespace {

using Sketches = std::vector<std::optional<QuestionSketch>>;

constexpr QuestionSketch a{.characters = 0b1111, .signs = 1, .han_length = 4};
constexpr QuestionSketch b{.characters = 0b1111'0000, .signs = 1, .han_length = 4};
constexpr QuestionSketch other_signs{.characters = 0b1111, .signs = 2, .han_length = 4};

std::vector<bool> found(const Sketches& sketches) { return candidates(sketches, {}); }

TEST(Candidates, ComeInPairs) {
  EXPECT_EQ(found({}), std::vector<bool>());
  EXPECT_EQ(found({a}), std::vector<bool>({false}));
  EXPECT_EQ(found({a, b, a}), std::vector<bool>({true, false, true}));
  EXPECT_EQ(found({b, a, other_signs}), std::vector<bool>({false, false, false}));
}

TEST(Candidates, HaveText) {
  EXPECT_EQ(found({std::nullopt, a, std::nullopt}), std::vector<bool>({false, false, false}));
}

}  // namespace
}  // namespace qdedup::iteration
