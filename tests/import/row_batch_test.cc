#include "import/row_batch.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace qdedup::import {
namespace {

TEST(MarkupCounts, NameABoundedNumberOfUnknownThings) {
  std::map<std::string, std::uint64_t> found;
  for (int i = 0; i < 10'002; ++i) found["\\" + std::to_string(100'000 + i)] = 2;
  std::map<std::string, std::uint64_t> all;
  for (int round = 0; round < 2; ++round) count_unknown(found, all);
  EXPECT_EQ(all.size(), 10'001U);
  EXPECT_EQ(all["\\100000"], 4U);
  EXPECT_EQ(all[std::string(other_names)], 8U);
  count_unknown({{"\\100000", 1}, {std::string(10'000, 'x'), 1}}, all);
  EXPECT_EQ(all["\\100000"], 5U);
  EXPECT_EQ(all[std::string(other_names)], 9U);
}

}  // namespace
}  // namespace qdedup::import
