#include <gtest/gtest.h>

#include "page/replies.h"
#include "tests/page/reviewed_state.h"

namespace qdedup::page {
namespace {

TEST(Dashboard, IsEmptyAtFirst) {
  ReviewedState state;
  Reading reading = state.reading();
  const nlohmann::json weeks = json_of(dashboard_reply(reading));
  EXPECT_TRUE(weeks["iterations"].empty());
  EXPECT_TRUE(weeks["reasons"].empty());
  EXPECT_EQ(weeks["questions"], 0);
}

TEST(Dashboard, CountsDecisionsByIterationAndReason) {
  ReviewedState state;
  const std::int64_t first =
      state.list({{5, 2}, {9, 2, "doubtful", "unit;polarity:多/少"}, {12, 7, "doubtful", "unit"}});
  state.list({{23, 20}});
  const nlohmann::json reject = {{"decisions",
                                  {{{"iteration", first},
                                    {"question", "9"},
                                    {"keeper", "2"},
                                    {"decision", "reject"},
                                    {"seen", "pending"}}}}};
  take_decisions(reject.dump(), state.folder(), state.writer(), by("ann"));
  Reading reading = state.reading();
  const nlohmann::json weeks = json_of(dashboard_reply(reading));
  ASSERT_EQ(weeks["iterations"].size(), 2U);
  EXPECT_EQ(weeks["iterations"][0]["statuses"], nlohmann::json::parse(R"({"pending":2,"rejected":1})"));
  EXPECT_EQ(weeks["iterations"][0]["confidences"], nlohmann::json::parse(R"({"doubtful":2,"safe":1})"));
  const nlohmann::json& unit = weeks["reasons"].back();
  EXPECT_EQ(unit["reason"], "unit");
  EXPECT_EQ(unit["points"][0],
            nlohmann::json::parse(R"({"iteration":1,"listed":2,"decided":1,"rejected":1})"));
  EXPECT_EQ(weeks["reasons"][0]["reason"], "polarity");
  EXPECT_EQ(weeks["reasons"][1]["reason"], "safe");
}

}  // namespace
}  // namespace qdedup::page
