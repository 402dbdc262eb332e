#include "base/release.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

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
