#include "page/batch.h"

#include <gtest/gtest.h>

#include "tests/page/reviewed_state.h"

namespace qdedup::page {
namespace {

class Batch : public testing::Test {
 protected:
  Answer approve(const std::string& filter, int count) { return approve(filter, count, seen(filter)); }
  Answer approve(const std::string& filter, int count, const std::string& seen) {
    const std::string body =
        R"({"filter":)" + filter + R"(,"count":)" + std::to_string(count) + R"(,"seen":")" + seen + "\"}";
    return approve_batch(body, state_.folder(), state_.writer(), by("ann"), [](db::Activity) {});
  }
  // Empty for what is no filter.
  std::string seen(const std::string& filter) {
    Parameters parameters;
    const nlohmann::json json = nlohmann::json::parse(filter);
    for (const auto& [name, value] : json.items()) {
      parameters.emplace_back(name, value.is_string() ? value.get<std::string>() : "");
    }
    Reading reading = state_.reading();
    return json_of(preview_batch(reading, parameters, 1)).value("seen", "");
  }

  ReviewedState state_;
  std::int64_t iteration_ = state_.list({{5, 2}, {9, 2}, {12, 7}, {13, 7, "doubtful", "unit"}});
};

TEST_F(Batch, ShowsHowManyAndASample) {
  Reading reading = state_.reading();
  const nlohmann::json preview =
      json_of(preview_batch(reading, {{"confidence", "safe"}, {"sample_size", "2"}}, 1));
  EXPECT_EQ(preview["count"], 3);
  ASSERT_EQ(preview["sample"].size(), 2U);
  EXPECT_EQ(preview["sample"][0]["question"]["confidence"], "safe");
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(Batch, ApprovesWhatPassesTheFilter) {
  const Answer answer = approve(R"({"confidence":"safe"})", 3);
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(json_of(answer)["approved"], 3);
  EXPECT_EQ(state_.last_decision(12), "ann pending>approved");
  EXPECT_EQ(state_.status(13), "pending");
}

TEST_F(Batch, ChangesNothingWhenTheCountIsAnother) {
  const Answer answer = approve(R"({"confidence":"safe"})", 4);
  EXPECT_EQ(answer.status, 409U);
  EXPECT_EQ(json_of(answer)["count"], 3);
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(Batch, ChangesNothingWhenTheyAreAsManyOthers) {
  const std::string before = seen("{}");
  Answer answer = approve(R"({"question":"5"})", 1);
  ASSERT_EQ(answer.status, 200U);
  state_.list({{21, 20}});
  EXPECT_NE(seen("{}"), before);
  answer = approve("{}", 4, before);
  EXPECT_EQ(answer.status, 409U);
  EXPECT_EQ(json_of(answer)["count"], 4);
  EXPECT_EQ(state_.status(9), "pending");
  EXPECT_EQ(state_.status(21), "pending");
  EXPECT_EQ(approve("{}", 4, "").status, 409U);
  EXPECT_EQ(json_of(approve("{}", 4))["approved"], 4);
}

TEST_F(Batch, LeavesOutWhatDoesNotHold) {
  state_.change_text(7, "另一个问题");
  const nlohmann::json done = json_of(approve("{}", 4));
  EXPECT_EQ(done["approved"], 2);
  EXPECT_EQ(done["refused"].begin().value(), 2);
  EXPECT_EQ(state_.status(12), "pending");
}

TEST_F(Batch, IsOfPendingDeletionsOnly) {
  EXPECT_EQ(approve(R"({"status":"rejected"})", 0).status, 400U);
  EXPECT_EQ(approve(R"({"confidence":"sure"})", 0).status, 400U);
  EXPECT_EQ(approve(R"({"confidence":7})", 0).status, 400U);
  EXPECT_EQ(approve_batch(R"({"filter":{},"count":4})", state_.folder(), state_.writer(), by("ann"),
                          [](db::Activity) {})
                .status,
            400U);
  EXPECT_EQ(approve_batch("{}", state_.folder(), state_.writer(), by("ann"), [](db::Activity) {}).status,
            400U);
}

}  // namespace
}  // namespace qdedup::page
