#include "finder/substring_scheme.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::finder {
namespace {

// Else every stretch of a large bank would be taken for one that is in very many texts.
TEST(SubstringScheme, CountsMoreStretchesApartOfMoreTexts) {
  SubstringScheme few({.common = 500});
  few.expect(1000);
  const std::size_t usual = few.learnt().size();
  SubstringScheme many({.common = 500});
  many.expect(usual + 1);
  EXPECT_GE(many.learnt().size(), 2 * usual);
  many.learn(U"一二三四五六");
  EXPECT_TRUE(few.take_learnt(many.learnt()));
  EXPECT_EQ(few.learnt(), many.learnt());
  EXPECT_FALSE(few.take_learnt(std::vector<std::uint32_t>(3)));
  EXPECT_FALSE(few.take_learnt({}));
}

TEST(SubstringScheme, CountsNothingWhereAllStretchesCount) {
  SubstringScheme scheme({});
  scheme.expect(1000);
  scheme.learn(U"一二三四五六");
  EXPECT_TRUE(scheme.learnt().empty());
  EXPECT_EQ(scheme.signature(U"一二三四五六").size(), 3U);
}

TEST(SubstringScheme, PassesOverWhatIsInManyTexts) {
  SubstringScheme scheme({.common = 2});
  scheme.expect(3);
  for (const char32_t end : U"甲乙丙") scheme.learn(std::u32string(U"一二三四") + end);
  EXPECT_EQ(scheme.signature(U"一二三四甲").size(), 1U);
}

}  // namespace
}  // namespace qdedup::finder
