#include "base/containers.h"

#include <string>
#include <vector>

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

TEST(Release, FreesMemory) {
  std::vector<int> numbers(1000);
  release(numbers);
  EXPECT_EQ(numbers.capacity(), 0U);
  std::string text(1000, 'x');
  release(text);
  EXPECT_EQ(text, "");
  EXPECT_EQ(text.capacity(), std::string().capacity());
}

}  // namespace
}  // namespace qdedup
