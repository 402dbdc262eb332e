#include "review/deletion_list.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace qdedup::review {
namespace {

struct SimilarityRow {
  std::string name;
  std::uint64_t distance;
  std::uint64_t length;
  std::string percent;
};

class SimilarityPercent : public testing::TestWithParam<SimilarityRow> {};

TEST_P(SimilarityPercent, IsRoundedHalfUp) {
  EXPECT_EQ(similarity_percent(GetParam().distance, GetParam().length), GetParam().percent);
}

INSTANTIATE_TEST_SUITE_P(
    Table, SimilarityPercent,
    testing::Values(SimilarityRow{"TwoEmptyHanParts", 0, 0, "100.00"}, SimilarityRow{"Equal", 0, 5, "100.00"},
                    SimilarityRow{"NothingInCommon", 5, 5, "0.00"}, SimilarityRow{"OneOfFive", 1, 5, "80.00"},
                    SimilarityRow{"TwoThirdsUp", 1, 3, "66.67"}, SimilarityRow{"OneThirdDown", 2, 3, "33.33"},
                    SimilarityRow{"OneEighth", 7, 8, "12.50"}, SimilarityRow{"OneDecimal", 1, 10, "90.00"},
                    SimilarityRow{"HalfUpAt0_005", 19'999, 20'000, "0.01"},
                    SimilarityRow{"HalfUpAt0_125", 799, 800, "0.13"},
                    SimilarityRow{"HalfUpAt3_125", 31, 32, "3.13"},
                    SimilarityRow{"HalfUpAt79_995", 4'001, 20'000, "80.00"},
                    SimilarityRow{"HalfUpAt96_875", 1, 32, "96.88"},
                    SimilarityRow{"HalfUpAt99_995", 1, 20'000, "100.00"},
                    SimilarityRow{"JustBelowHalf", 20'003, 100'010, "80.00"},
                    SimilarityRow{"Longest", UINT64_MAX / 2, UINT64_MAX, "50.00"},
                    SimilarityRow{"MoreThanLength", 6, 5, "0.00"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace qdedup::review
