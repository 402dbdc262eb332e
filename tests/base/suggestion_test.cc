#include "base/suggestion.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(Suggestion, NamesTheNearestWord) {
  const std::vector<std::string> known = {"export", "import", "explain", "a"};
  EXPECT_EQ(suggestion("exprot", known), " (did you mean \"export\"?)");
  EXPECT_EQ(suggestion("exp", known), " (did you mean \"export\"?)");
  EXPECT_EQ(suggestion("imprt", known), " (did you mean \"import\"?)");
  EXPECT_EQ(suggestion("explian", known), " (did you mean \"explain\"?)");
}

TEST(Suggestion, IsSilentWhereNothingIsNear) {
  const std::vector<std::string> known = {"export", "a"};
  for (const std::string typed : {"frobnicate", "b", ""}) EXPECT_EQ(suggestion(typed, known), "") << typed;
  EXPECT_EQ(suggestion(std::string(1'000'000, 'x'), known), "");
  EXPECT_EQ(suggestion("x", {}), "");
}

}  // namespace
}  // namespace qdedup
