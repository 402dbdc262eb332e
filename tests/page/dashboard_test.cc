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
  EXPECT_EQ(weeks["learn"], nlohmann::json::parse(R"({"decisions":0,"would_help":false})"));
}

TEST(Dashboard, SaysWhenLearningWouldHelp) {
  ReviewedState state;
  std::vector<ReviewedState::Listed> listed;
  for (QuestionId id = 1; id <= 101; ++id) listed.push_back({1000 + id, id});
  const std::int64_t iteration = state.list(listed);
  const auto decide = [&](QuestionId keeper) {
    const nlohmann::json approve = {{"decisions",
                                     {{{"iteration", iteration},
                                       {"question", std::to_string(1000 + keeper)},
                                       {"keeper", std::to_string(keeper)},
                                       {"decision", "approve"},
                                       {"seen", "pending"}}}}};
    take_decisions(approve.dump(), state.folder(), state.writer(), by("ann"));
    Reading reading = state.reading();
    return json_of(dashboard_reply(reading))["learn"];
  };
  for (QuestionId id = 1; id < 99; ++id) decide(id);
  EXPECT_EQ(decide(99), nlohmann::json::parse(R"({"decisions":99,"would_help":false})"));
  EXPECT_EQ(decide(100), nlohmann::json::parse(R"({"decisions":100,"would_help":true})"));
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
