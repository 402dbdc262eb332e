#include "base/sort_unique.h"

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(SortUnique, MakesValuesAscendOnce) {
  std::vector<int> values = {3, 1, 2, 3, 1};
  sort_unique(values);
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3}));
  values.clear();
  sort_unique(values);
  EXPECT_TRUE(values.empty());
}

}  // namespace
}  // namespace qdedup
