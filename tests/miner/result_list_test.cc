#include "miner/result_list.h"

#include <cstddef>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

TEST(Rejection, HasTheNameOfItsEnumerator) {
  EXPECT_EQ(name(Rejection::blank), "blank");
  EXPECT_EQ(name(Rejection::too_long), "too_long");
  EXPECT_EQ(name(Rejection::too_deep), "too_deep");
  EXPECT_EQ(name(Rejection::nul_byte), "nul_byte");
  EXPECT_EQ(name(Rejection::bad_utf8), "bad_utf8");
  EXPECT_EQ(name(Rejection::bad_json), "bad_json");
  EXPECT_EQ(name(Rejection::trailing_data), "trailing_data");
  EXPECT_EQ(name(Rejection::no_results), "no_results");
  EXPECT_EQ(name(Rejection::not_a_list), "not_a_list");
  EXPECT_EQ(name(Rejection::bad_pair), "bad_pair");
  EXPECT_EQ(name(Rejection::bad_id), "bad_id");
  EXPECT_EQ(name(Rejection::bad_score), "bad_score");
}

TEST(Rejection, CountCoversAllAndNamesDiffer) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < rejection_count; ++i) names.insert(name(static_cast<Rejection>(i)));
  EXPECT_EQ(names.size(), rejection_count);
  EXPECT_EQ(static_cast<std::size_t>(Rejection::bad_score), rejection_count - 1);
}

}  // namespace
}  // namespace qdedup::miner
