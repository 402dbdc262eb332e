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
  EXPECT_TRUE(weeks["coverage"].is_null());
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
  ASSERT_EQ(weeks["reasons"].size(), 2U);  // nothing safe was decided
  EXPECT_EQ(weeks["reasons"][0]["reason"], "polarity");
  const nlohmann::json& unit = weeks["reasons"][1];
  EXPECT_EQ(unit["reason"], "unit");
  EXPECT_EQ(unit["decided"], 1);
  EXPECT_EQ(unit["rejected"], 1);
  EXPECT_NEAR(unit["low"].get<double>(), 0.2065, 1e-4);
}

TEST(Dashboard, CoverageIsThatOfLogs) {
  ReviewedState state;
  state.list({{5, 2}});
  state.list({{9, 2}}, false, "sweep");
  state.list({{12, 7}}, false, "logs", 0);  // only texts had changed
  Reading reading = state.reading();
  const nlohmann::json weeks = json_of(dashboard_reply(reading));
  EXPECT_EQ(weeks["coverage"]["iteration"], weeks["iterations"][0]["id"]);
  EXPECT_TRUE(weeks["coverage"]["share"].is_number());
  for (const nlohmann::json& each : weeks["iterations"]) {
    EXPECT_FALSE(each.contains("coverage")) << "by today's bank, it would change with that";
  }
}

TEST(Dashboard, ShowsWhatReviewersDidAndHowTheyAgree) {
  ReviewedState state;
  const std::int64_t iteration = state.list({{5, 2}, {9, 2}, {12, 7}});
  const auto decide = [&](const char* question, const char* keeper, const char* decision, const char* seen,
                          const char* who) {
    const nlohmann::json one = {{"iteration", iteration},
                                {"question", question},
                                {"keeper", keeper},
                                {"decision", decision},
                                {"seen", seen}};
    take_decisions(nlohmann::json{{"decisions", {one}}}.dump(), state.folder(), state.writer(), by(who));
  };
  decide("5", "2", "approve", "pending", "ann");
  decide("9", "2", "reject", "pending", "ann");
  decide("12", "7", "approve", "pending", "bob");
  decide("12", "7", "reset", "approved", "bob");
  draw_sample(R"({"size":3})", state.folder(), state.writer(), by("bob"), 1, {});
  for (const char* position : {"1", "2", "3"}) {
    judge(std::string(R"({"sample":1,"judgement":"same","position":)") + position + "}", state.writer(),
          by("bob"));
  }
  Reading reading = state.reading();
  const nlohmann::json people = json_of(dashboard_reply(reading))["reviewers"];
  ASSERT_EQ(people.size(), 2U);
  EXPECT_EQ(people[0]["name"], "ann");
  EXPECT_EQ(people[0]["approved"], 1);
  EXPECT_EQ(people[0]["rejected"], 1);
  EXPECT_EQ(people[0]["judged"], 0);
  EXPECT_EQ(people[1]["name"], "bob");
  EXPECT_EQ(people[1]["approved"], 0);  // was taken back
  EXPECT_EQ(people[1]["judged"], 3);
  EXPECT_EQ(people[1]["agreement"]["compared"], 2);  // what ann decided
  EXPECT_EQ(people[1]["agreement"]["agreed"], 1);
}

}  // namespace
}  // namespace qdedup::page
